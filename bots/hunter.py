# A Battleship bot in Python that speaks UBI (docs/ubi.md): fires around hits, and otherwise at random on a pattern.
import random, re, sys

def name(row, col):
    return ("" if row < 26 else chr(64 + row // 26)) + chr(65 + row % 26) + str(col + 1)

def place():  # puts ships where they fit, and starts over when one doesn't
    blocked, ships, tries = set(), [], 0
    while len(ships) < len(fleet):
        if (tries := tries + 1) > 1000:
            blocked, ships, tries = set(), [], 0
        down, row, col = random.randrange(2), random.randrange(rows), random.randrange(cols)
        cells = [(row + down * i, col + (1 - down) * i) for i in range(fleet[len(ships)])]
        if cells[-1][0] < rows and cells[-1][1] < cols and not blocked.intersection(cells):
            near = [(r + y, c + x) for r, c in cells for y in (-1, 0, 1) for x in (-1, 0, 1)]
            blocked.update(cells if touch == "allowed" else near)
            ships.append(name(row, col) + ("-" + name(*cells[-1]) if len(cells) > 1 else ""))
    return "layout " + " ".join(ships)

def shoot():
    answers = dict(re.match("([A-Z]+[0-9]+)(.)", shot).groups() for shot in shots)
    board = [(r, c) for r in range(rows) for c in range(cols)]
    hits = {(r, c) for r, c in board if answers.get(name(r, c), "-") != "-"}
    free = [(r, c) for r, c in board if name(r, c) not in answers]
    near = [(r, c) for r, c in free if {(r, c - 1), (r, c + 1), (r - 1, c), (r + 1, c)} & hits]
    pattern = [(r, c) for r, c in free if (r + c) % min(fleet) == 0]
    return "bestshot " + name(*random.choice(near or pattern or free))

for line in sys.stdin:
    word, *rest = line.split() or [""]
    if word == "newgame":
        (rows, cols), fleet, touch, shots = map(int, rest[0].split("x")), [*map(int, rest[1].split(","))], rest[2], []
    elif word == "setoption" and rest[1] == "seed":
        random.seed(int(rest[3]))
    elif word == "position":
        shots = rest
    elif word == "ubi":
        print("id name hunter\noption name seed type spin default 0\nubiok", flush=True)
    elif word in ("place", "go"):
        print(place() if word == "place" else shoot(), flush=True)
    elif word == "quit":
        break
