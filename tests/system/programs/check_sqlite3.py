#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""sqlite3: builds, indexes, queries and checks a table of a million rows."""

import harness

SQL = """
PRAGMA journal_mode = WAL;
PRAGMA synchronous = OFF;
PRAGMA temp_store = MEMORY;
CREATE TABLE part(id INTEGER PRIMARY KEY, name TEXT, weight REAL, bin INT);
WITH RECURSIVE counter(n) AS
  (SELECT 1 UNION ALL SELECT n + 1 FROM counter WHERE n < {rows})
INSERT INTO part SELECT n, printf('part %d of %x', n, n * 2654435761 % 999983),
  (n * 7919 % 10007) / 7.0, n * 31 % 1009 FROM counter;
CREATE INDEX part_bin ON part(bin, name);
UPDATE part SET name = name || ' (' || bin || ')' WHERE id % 3 = 0;
DELETE FROM part WHERE id % 11 = 0;
SELECT count(*), sum(bin), max(length(name)) FROM part;
SELECT bin, count(*), group_concat(substr(name, 1, 12), ',') FROM part
  WHERE bin < 5 GROUP BY bin ORDER BY bin;
SELECT a.name, count(*) FROM part a JOIN part b ON b.bin = a.bin
  WHERE a.id < 20 GROUP BY a.id ORDER BY a.name;
SELECT name FROM part ORDER BY weight, name LIMIT 20;
VACUUM;
PRAGMA integrity_check;
"""


def work(trial):
    sqlite = harness.find("sqlite3")
    rows = 1000000 if trial.is_full() else 50000
    return trial.run([sqlite, "-batch", trial.path("parts.db")],
                     SQL.format(rows=rows))


harness.main(work)
