#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""node: objects, buffers outside its own heap, compression, worker threads.
Its reservation of address space is terabytes, so there is no limited run."""

import harness

PROGRAM = r"""
const zlib = require('zlib');
const crypto = require('crypto');
const {Worker, isMainThread, parentPort, workerData} =
    require('worker_threads');

function digest(rounds) {
    const hash = crypto.createHash('sha256');
    const kept = new Map();
    for (let i = 0; i < rounds; i++) {
        const bytes = Buffer.alloc(1000 + i % 5000 * 7, i & 255);
        const packed = zlib.gzipSync(bytes, {level: 1});
        hash.update(zlib.gunzipSync(packed));
        kept.set('k' + i % 97, JSON.parse(JSON.stringify(
            {i, text: 'x'.repeat(i % 300), list: [i, [i, [i]]]})));
    }
    hash.update(JSON.stringify([...kept]));
    return hash.digest('hex');
}

if (isMainThread) {
    const rounds = Number(process.argv[2]);
    const jobs = [0, 1, 2, 3].map(i => new Promise((done, failed) => {
        const worker = new Worker(__filename, {workerData: rounds + i});
        worker.on('message', done);
        worker.on('error', failed);
    }));
    console.log(digest(rounds));
    Promise.all(jobs).then(all => console.log(all.join('\n')));
} else {
    parentPort.postMessage(digest(workerData));
}
"""


def work(trial):
    node = harness.find("node")
    program = trial.write("work.js", PROGRAM)
    return trial.run([node, program, "2000" if trial.is_full() else "100"])


harness.main(work, is_limited=False)
