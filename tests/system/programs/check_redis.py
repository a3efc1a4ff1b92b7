#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""redis-server under redis-benchmark, with a snapshot by a forked child."""

import os
import re

import harness

CONFIG = """
port 0
unixsocket {directory}/socket
dir {directory}
save ""
appendonly no
maxmemory 0
activedefrag no
"""

TESTS = "set,get,incr,lpush,rpop,sadd,hset,zadd,lrange_100,mset"


def work(trial):
    server = harness.find("redis-server")
    client = [harness.find("redis-cli"), "-s", trial.path("socket")]
    benchmark = [harness.find("redis-benchmark"), "-s", trial.path("socket")]
    config = trial.write("redis.conf",
                         CONFIG.format(directory=trial.directory))
    requests = "50000" if trial.is_full() else "3000"
    running = trial.serve([server, config])
    harness.wait_until(lambda: os.path.exists(trial.path("socket")),
                       "redis-server starts")
    out = trial.run(benchmark + ["-q", "-n", requests, "-r", "10000", "-d",
                                 "100", "-P", "8", "-t", TESTS])
    names = re.findall(r"^([A-Z_]+[^:\r\n]*): [0-9.]+ requests",
                       out.replace("\r", "\n"), re.MULTILINE)
    replies = [trial.run(client + command.split()) for command in (
        "FLUSHALL", "DEBUG POPULATE 20000 key 200", "SAVE", "DBSIZE",
        "GET key:77", "FLUSHALL", "DBSIZE", "MEMORY DOCTOR")]
    trial.run(client + ["BGSAVE"])
    harness.wait_until(lambda: "rdb_bgsave_in_progress:0" in trial.run(
        client + ["INFO", "persistence"]), "the child's snapshot")
    status = re.findall("rdb_last_bgsave_status:.*",
                        trial.run(client + ["INFO", "persistence"]))
    trial.complaints.clear()
    trial.stop(running)
    return sorted(names), replies[1:-1], status


harness.main(work)
