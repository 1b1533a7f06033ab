#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Makes a large trace by replicating a real one: stamps, ids and step numbers move on with every copy.

usage: make_trace.py SOURCE.json[.gz] MEGABYTES OUT.json     (OUT: - is standard output)
The text between the numbers stays as its writer printed it, so a reader meets the real layout.
"""
import gzip
import re
import sys

# A number that must move with each copy: stamps by the trace's length, ids by the largest id, steps by their count.
MOVING = re.compile(
    rb'("ts": *)(-?[0-9.]+)|("(?:correlation|[Ee]xternal id|id|Ev Idx|Record function id)": *)([0-9]+)|(ProfilerStep#)([0-9]+)')


def load(path):
    opener = gzip.open if open(path, 'rb').read(2) == b'\x1f\x8b' else open
    with opener(path, 'rb') as f:
        return f.read()


def split(text):
    """The text before the events, the events, and the text behind them."""
    begin = text.index(b'[', text.index(b'"traceEvents"')) + 1
    end = text.rindex(b']', 0, text.rindex(b'}'))
    while text[begin:end].count(b'"ph"') == 0 or b'"Record Window End"' in text[end:]:
        end = text.rindex(b']', 0, end)
    return text[:begin], text[begin:end], text[end:]


def parse(events):
    """Pieces of literal text, and between them (kind, number as written)."""
    pieces, numbers, at = [], [], 0
    for m in MOVING.finditer(events):
        kind = next(k for k in (1, 3, 5) if m.group(k) is not None)
        pieces.append(events[at:m.start(kind + 1)])
        numbers.append((kind, m.group(kind + 1)))
        at = m.end()
    pieces.append(events[at:])
    return pieces, numbers


def moved(numbers, copy, stride):
    for kind, text in numbers:
        if kind != 1:
            yield b'%d' % (int(text) + copy * stride[kind])
        elif b'.' in text:
            whole, part = text.split(b'.')
            yield b'%d.%s' % (int(whole) + copy * stride[1], part)
        else:
            yield b'%d' % (int(text) + copy * stride[1])


def main():
    source, megabytes, out = sys.argv[1], int(sys.argv[2]), sys.argv[3]
    head, events, tail = split(load(source))
    pieces, numbers = parse(events)
    stamps = [int(t.split(b'.')[0]) for k, t in numbers if k == 1 and t != b'0.000']
    stride = {1: max(stamps) - min(stamps) + 1000,
              3: max((int(t) for k, t in numbers if k == 3), default=0) + 1,
              5: max((int(t) for k, t in numbers if k == 5), default=0) + 1}
    copies = max(1, round(megabytes * 1e6 / len(events)))
    with open(out, 'wb') if out != '-' else sys.stdout.buffer as f:
        f.write(head)
        for copy in range(copies):
            if copy:
                f.write(b',')
            parts = [None] * (2 * len(numbers) + 1)
            parts[0::2] = pieces
            parts[1::2] = moved(numbers, copy, stride)
            f.write(b''.join(parts))
        f.write(tail)


if __name__ == '__main__':
    main()
