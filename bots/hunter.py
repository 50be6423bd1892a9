"""A Battleship bot that speaks UBI (docs/ubi.md): fires next to hits, otherwise on every second cell."""

import random
import re
import sys


def name(row, col):  # from row 27 on there are two letters
    return chr(64 + row // 26).strip("@") + chr(65 + row % 26) + str(col + 1)


def place():  # puts ships where they fit, and starts over when that goes wrong for long
    taken, ships, gap = set(), [], (0,) if touch == "allowed" else (-1, 0, 1)
    for _ in range(10000):
        row, col, down = map(random.randrange, (rows, cols, 2))
        ship = [(row + down * i, col + (not down) * i) for i in range(fleet[len(ships)])]
        if ship[-1][0] < rows and ship[-1][1] < cols and not taken.intersection(ship):
            taken.update((r + y, c + x) for r, c in ship for y in gap for x in gap)
            ships.append(name(row, col) + "-" + name(*ship[-1]))
            if len(ships) == len(fleet):
                return "layout " + " ".join(ships)
    return place()


def shoot():
    hits = {cell for cell, answer in shots.items() if answer != "-"}
    free = [(r, c) for r in range(rows) for c in range(cols) if name(r, c) not in shots]
    beside = lambda r, c: {name(r - 1, c), name(r + 1, c), name(r, c - 1), name(r, c + 1)}
    near = [cell for cell in free if beside(*cell) & hits]
    second = [cell for cell in free if sum(cell) % 2]
    return "bestshot " + name(*random.choice(near or second or free))


for line in sys.stdin:
    word, *rest = line.split() or [""]
    if word == "ubi":
        print("id name hunter\noption name seed type spin default 0\nubiok", flush=True)
    elif word == "setoption" and rest[1] == "seed":
        random.seed(int(rest[3]))
    elif word == "newgame":
        (rows, cols), touch, shots = map(int, rest[0].split("x")), rest[2], {}
        fleet = [int(length) for length in rest[1].split(",")]
    elif word == "position":
        shots = dict(re.findall("([A-Z]+[0-9]+)([-+#])", line))
    elif word in ("place", "go"):
        print(place() if word == "place" else shoot(), flush=True)
    elif word == "quit":
        break
