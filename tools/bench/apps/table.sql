-- SPDX-License-Identifier: MIT
--
-- Builds and queries a table in memory. The caller creates the table `rows`,
-- whose one value `n` is the number of rows.
CREATE TABLE entry(id INTEGER PRIMARY KEY, key TEXT, value INTEGER);
WITH RECURSIVE number(n) AS (
    SELECT 1 UNION ALL SELECT n + 1 FROM number
    LIMIT (SELECT n FROM rows))
INSERT INTO entry SELECT n, 'key' || (n * 7919 % 100003), n % 977 FROM number;
CREATE INDEX entry_key ON entry(key);
SELECT count(*), sum(value) FROM entry;
SELECT count(DISTINCT key) FROM entry WHERE value < 500;
SELECT max(length(list)) FROM
    (SELECT group_concat(id) AS list FROM entry GROUP BY value);
DELETE FROM entry WHERE id % 3 = 0;
SELECT count(*), min(key), max(key) FROM entry;
