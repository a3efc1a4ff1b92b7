#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""nginx under wrk: static files, gzip, a proxy hop and a reload."""

import gzip
import os
import re
import signal
import urllib.request

import harness

CONFIG = """
daemon off;
master_process on;
worker_processes 2;
pid {directory}/pid;
error_log {directory}/error.log warn;
user {user};
events {{ worker_connections 256; }}
http {{
    access_log off;
    client_body_temp_path {directory}/body;
    proxy_temp_path {directory}/proxy;
    fastcgi_temp_path {directory}/fastcgi;
    uwsgi_temp_path {directory}/uwsgi;
    scgi_temp_path {directory}/scgi;
    gzip_types text/plain;
    server {{
        listen 127.0.0.1:{port};
        root {directory}/www;
        location /packed/ {{ gzip on; alias {directory}/www/; }}
        location /proxied/ {{ proxy_pass http://127.0.0.1:{port}/; }}
    }}
}}
"""

TEXT = "".join(f"line {i} of the page\n" for i in range(5000))


def get(port, path, headers=None):
    request = urllib.request.Request(f"http://127.0.0.1:{port}{path}",
                                     headers=headers or {})
    with urllib.request.urlopen(request, timeout=10) as answer:
        return answer.read()


def is_up(port):
    try:
        return get(port, "/page.txt") == TEXT.encode()
    except OSError:
        return False


def load(trial, port, path):
    """Whether wrk got answers, and the errors it met."""
    seconds = "3s" if trial.is_full() else "1s"
    out = trial.run([harness.find("wrk"), "-t2", "-c20", "-d", seconds,
                     f"http://127.0.0.1:{port}{path}"])
    requests = int(re.search(r"(\d+) requests in", out).group(1))
    errors = re.findall(r"Non-2xx.*|Socket errors.*", out)
    return requests > 50, errors


def workers(server):
    """The processes of a master; after a reload they are others."""
    path = f"/proc/{server.pid}/task/{server.pid}/children"
    with open(path, encoding="ascii") as file:
        return set(file.read().split())


def reload(server):
    old = workers(server)
    server.send_signal(signal.SIGHUP)
    harness.wait_until(lambda: len(workers(server) - old) == 2 and
                       not workers(server) & old, "new workers")


def work(trial):
    nginx = harness.find("nginx")
    port = harness.free_port()
    os.mkdir(trial.path("www"))
    os.chmod(trial.directory, 0o755)
    trial.write("www/page.txt", TEXT)
    config = trial.write("nginx.conf", CONFIG.format(
        directory=trial.directory, port=port, user=os.environ.get(
            "USER", "root")))
    server = trial.serve([nginx, "-c", config])
    harness.wait_until(lambda: is_up(port), "nginx starts")
    results = [load(trial, port, "/page.txt")]
    packed = get(port, "/packed/page.txt", {"Accept-Encoding": "gzip"})
    results.append(gzip.decompress(packed) == TEXT.encode())
    reload(server)
    results.append(load(trial, port, "/proxied/page.txt"))
    results.append(get(port, "/proxied/page.txt") == TEXT.encode())
    trial.stop(server)
    with open(trial.path("error.log"), encoding="utf-8") as log:
        results.append(re.findall(r"signal \d+|alert.*|emerg.*", log.read()))
    return results


harness.main(work)
