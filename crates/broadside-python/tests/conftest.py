"""What the tests share: the program, and random rules and logs."""

from __future__ import annotations

import os
import random
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

import broadside

ROOT = Path(__file__).resolve().parents[3]
CASES = int(os.environ.get("BROADSIDE_CASES", "25"))
"""How many random cases a property is tried on."""


@pytest.fixture(scope="session")
def program() -> Callable[..., str]:
    """Runs the program, and gives what it prints: what is wrong, where that is expected and nothing else is printed."""
    path = os.environ.get("BROADSIDE", str(ROOT / "target/debug/broadside"))

    def run(*arguments: str, status: int = 0) -> str:
        done = subprocess.run([path, *arguments], capture_output=True, text=True, timeout=300)
        assert done.returncode == status, done.stderr
        return done.stdout or done.stderr

    return run


def random_rules(dice: random.Random, sides: tuple[int, int] = (2, 8)) -> broadside.Rules:
    """Rules at random; parts that don't go together are drawn again."""
    while True:
        board = f"{dice.randint(*sides)}x{dice.randint(*sides)}"
        fleet = [dice.randint(1, 4) for _ in range(dice.randint(1, 4))]
        touch = dice.choice(["allowed", "corners", "never"])
        call = dice.choice(["silent", "bare", "ship", "every"])
        try:
            return broadside.Rules(board=board, fleet=fleet, touch=touch, call=call)
        except broadside.RulesError:
            continue


def random_log(dice: random.Random, rules: broadside.Rules) -> str:
    """Some shots at a random layout of the rules, with their answers."""
    referee = broadside.Referee(rules, seed=dice.getrandbits(32))
    cells = list(range(rules.rows * rules.cols))
    dice.shuffle(cells)
    for cell in cells[: dice.randint(0, len(cells))]:
        if not referee.over:
            referee.fire(cell)
    return referee.log


def options(rules: broadside.Rules) -> list[str]:
    """The rules as options of the program."""
    board, fleet, touch, call = str(rules).split()
    return ["--board", board, "--fleet", fleet, "--touch", touch, "--call", call]
