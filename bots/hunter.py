# A Battleship bot in Python that speaks UBI (docs/ubi.md): fires around hits, and otherwise at random on a pattern.
import random, re, sys

def name(row, col):
    return ("" if row < 26 else chr(64 + row // 26)) + chr(65 + row % 26) + str(col + 1)

def place():  # puts ships where they fit, and starts over when one doesn't
    blocked, ships, tries = set(), [], 0
    while len(ships) < len(fleet):
        tries += 1
        if tries > 1000:
            blocked, ships, tries = set(), [], 0
        length, down = fleet[len(ships)], random.randrange(2)
        row, col = random.randrange(rows), random.randrange(cols)
        cells = {(row + down * i, col + (1 - down) * i) for i in range(length)}
        if max(cells)[0] < rows and max(cells)[1] < cols and not cells & blocked:
            near = {(r + y, c + x) for r, c in cells for y in (-1, 0, 1) for x in (-1, 0, 1)}
            blocked |= cells if touch == "allowed" else near
            ships.append("-".join(sorted({name(*min(cells)), name(*max(cells))}, key=lambda cell: (len(cell), cell))))
    return "layout " + " ".join(ships)

def shoot():
    answers = {re.match("[A-Z]+[0-9]+", shot)[0]: shot for shot in shots}
    free = [(r, c) for r in range(rows) for c in range(cols) if name(r, c) not in answers]
    hits = {(r, c) for r in range(rows) for c in range(cols) if set("+#") & set(answers.get(name(r, c), ""))}
    near = [(r, c) for r, c in free if {(r, c - 1), (r, c + 1), (r - 1, c), (r + 1, c)} & hits]
    pattern = [(r, c) for r, c in free if (r + c) % min(fleet) == 0]
    return "bestshot " + name(*random.choice(near or pattern or free))

for line in sys.stdin:
    word, *rest = line.split() or [""]
    if word == "ubi":
        print("id name hunter\noption name seed type spin default 0\nubiok", flush=True)
    elif word == "setoption" and rest[1] == "seed":
        random.seed(int(rest[3]))
    elif word == "newgame":
        (rows, cols), fleet, touch, shots = map(int, rest[0].split("x")), [int(n) for n in rest[1].split(",")], rest[2], []
    elif word == "place":
        print(place(), flush=True)
    elif word == "position":
        shots = rest
    elif word == "go":
        print(shoot(), flush=True)
    elif word == "quit":
        break
