# SPDX-License-Identifier: MIT
#
# objects.py [SCALE]: builds and drops dicts, lists, strings, objects and
# JSON. Run with PYTHONMALLOC=malloc, so that each object is one malloc.
import json
import random
import sys


class Node:
    def __init__(self, key, left, right):
        self.key = key
        self.left = left
        self.right = right


def tree(depth):
    if depth == 0:
        return None
    return Node(depth, tree(depth - 1), tree(depth - 1))


def count(node):
    return 0 if node is None else 1 + count(node.left) + count(node.right)


def words(number, numbers):
    table = {}
    for i in range(number):
        word = "word%d" % numbers.randrange(number // 4)
        table.setdefault(word, []).append(i)
    return len(table), max(len(v) for v in table.values())


def documents(number, numbers):
    size = 0
    for i in range(number):
        document = {"id": i, "tags": ["t%d" % numbers.randrange(9)] * 5,
                    "body": {"text": "x" * numbers.randrange(200)}}
        size += len(json.loads(json.dumps(document))["body"]["text"])
    return size


def main():
    scale = float(sys.argv[1]) if len(sys.argv) > 1 else 1.0
    numbers = random.Random(1)
    rounds = max(1, int(10 * scale))
    nodes = sum(count(tree(13)) for _ in range(rounds))
    size = max(100, int(200000 * scale))
    print(nodes, words(size, numbers), documents(size // 10, numbers))


main()
