"""Whatever Python says, the program says too."""

import json
import random
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from conftest import CASES, options, random_log, random_rules

import broadside

Program = Callable[..., str]


def test_odds_of_random_logs_are_the_programs(program: Program) -> None:
    for case in range(CASES):
        dice = random.Random(case)
        rules = random_rules(dice)
        log = random_log(dice, rules)
        theirs = json.loads(program("odds", *options(rules), "--shots", log, "--format", "json"))
        ours = broadside.odds(rules, log)
        assert str(ours.layouts) == theirs["layouts"], (rules, log)
        assert [[str(count) for count in row] for row in ours.counts or []] == theirs["cells"]
        assert ours.chances.tolist() == theirs["odds"]
        assert (ours.best, ours.exact) == (theirs["best"], theirs["exact"])


def test_odds_of_boards_past_128_cells_and_counts_past_64_bits_are_exact(program: Program) -> None:
    rules = broadside.Rules(board="12x11", fleet=[5, 4, 3, 3, 2])
    log = "G7- H8+ H9+ A1-"
    theirs = json.loads(program("odds", *options(rules), "--shots", log, "--format", "json"))
    ours = broadside.odds(rules, log)
    assert ours.exact and isinstance(ours.layouts, int)
    assert str(ours.layouts) == theirs["layouts"]
    assert [[str(count) for count in row] for row in ours.counts or []] == theirs["cells"]
    # Eight ships of one cell, all alike, on 64 x 64: 4096 over 8.
    wide = broadside.Rules(board="64x64", fleet=[1] * 8)
    expected = 1
    for number in range(8):
        expected = expected * (4096 - number) // (number + 1)
    assert expected > 2**64
    assert broadside.count(wide) == expected == int(program("count", *options(wide)))


def test_counts_of_random_rules_are_the_programs(program: Program) -> None:
    for case in range(CASES):
        rules = random_rules(random.Random(1000 + case))
        assert broadside.count(rules) == int(program("count", *options(rules))), rules


def test_deals_are_the_programs(program: Program) -> None:
    for case in range(CASES):
        dice = random.Random(2000 + case)
        rules, seed = random_rules(dice), dice.getrandbits(60)
        sequential = dice.choice([[], ["--sequential"]])
        theirs = program("deal", *options(rules), "-n", "5", "--seed", str(seed), *sequential).split("\n")[:5]
        boards, ours = broadside.deal(rules, 5, seed, sequential=bool(sequential))
        assert ours == theirs
        assert boards.dtype == np.uint8 and boards.shape == (5, *rules.shape)
        for board, layout in zip(boards, ours, strict=True):
            picture = "\n".join("".join(".X"[cell] for cell in row) for row in board)
            assert broadside.validate(rules, picture).valid and broadside.validate(rules, layout).valid
        assert broadside.deal(rules, 2, seed, first=3, sequential=bool(sequential))[1] == ours[3:]


def random_board(dice: random.Random, rules: broadside.Rules) -> str:
    """A picture at random, a layout, or a layout of rules under which ships may touch."""
    if dice.random() < 0.4:
        return "\n".join("".join(dice.choice("..X") for _ in range(rules.cols)) for _ in range(rules.rows))
    touching = broadside.Rules(board=rules.shape, fleet=rules.fleet, touch="allowed")
    return broadside.deal(dice.choice([rules, touching]), 1, dice.getrandbits(60))[1][0]


def test_checks_are_the_programs(program: Program, tmp_path: Path) -> None:
    kinds: Counter[str] = Counter()
    for case in range(CASES):
        dice = random.Random(3000 + case)
        rules = random_rules(dice)
        board = random_board(dice, rules)
        (tmp_path / "board").write_text(board)
        report = broadside.validate(rules, board)
        arguments = ["validate", *options(rules), "--format", "json", str(tmp_path / "board")]
        theirs = json.loads(program(*arguments, status=0 if report else 1))
        ours = [{"kind": violation.kind, "cells": violation.cells} for violation in report.violations]
        assert (report.valid, report.readings, ours) == (theirs["valid"], theirs["readings"], theirs["violations"]), board
        kinds.update(violation["kind"] for violation in ours or [{"kind": "none"}])
    assert kinds["none"] and len(kinds) >= 4, kinds


def test_campaigns_are_the_programs_to_the_byte(program: Program) -> None:
    names = ["random", "hunt-target", "density", "admiral"]
    for case in range(max(3, CASES // 5)):
        dice = random.Random(4000 + case)
        rules, seed = random_rules(dice), dice.getrandbits(40)
        captains = dice.sample(names, dice.randint(1, 3))
        arguments = ["simulate", "--captain", *captains, "--games", "50", "--seed", str(seed), *options(rules)]
        theirs = program(*arguments, "--format", "json", "--quiet")
        ours = broadside.simulate(rules, captains, games=50, seed=seed)
        assert ours.to_json() == theirs
        parts = [broadside.play_range(rules, captains, seed, first, first + 10, threads=1) for first in (40, 0, 20, 10, 30)]
        assert broadside.merge(parts).to_json() == theirs


def test_parts_from_python_and_from_the_program_go_together(program: Program, tmp_path: Path) -> None:
    rules = ["--board", "6x6", "--fleet", "3,2"]
    program("simulate", "--captain", "density", "--games", "100", "--range", "0..60", "--quiet", *rules, "--out", str(tmp_path / "a"))
    part = broadside.play_range(broadside.Rules(board="6x6", fleet=[3, 2]), "density", 1, 60, 100)
    with broadside.CampaignFolder(tmp_path / "b") as folder:
        assert folder.load() is None
        folder.save(part)
    program("merge", str(tmp_path / "a"), str(tmp_path / "b"), "--out", str(tmp_path / "merged"))
    program("simulate", "--captain", "density", "--games", "100", "--quiet", *rules, "--out", str(tmp_path / "whole"))
    for name in ("checkpoint", "results.json", "histogram.csv", "summary.csv"):
        assert (tmp_path / "merged" / name).read_bytes() == (tmp_path / "whole" / name).read_bytes()


def test_a_captain_with_a_referee_plays_the_games_of_the_campaign() -> None:
    rules = broadside.Rules("sploosh")
    for name in ("random", "hunt-target", "density", "admiral"):
        captain = broadside.Captain(name, rules)
        shots = []
        for game in range(20):
            referee = broadside.Referee(rules, seed=9, game=game)
            while not referee.over:
                referee.fire(captain.aim(referee))
            shots.append(referee.shots)
        histogram = broadside.simulate(rules, name, games=20, seed=9).captains[0].histogram
        assert np.bincount(shots, minlength=65).tolist() == histogram.tolist()


@pytest.mark.parametrize(("shots", "words"), [("E5", "E5"), ("E5- E5-", "fired at"), ("Z99-", "Z99")])
def test_what_the_program_refuses_python_refuses_with_the_same_words(program: Program, shots: str, words: str) -> None:
    with pytest.raises(broadside.LogError) as raised:
        broadside.odds("classic", shots)
    status = 1 if shots == "E5- E5-" else 2
    last = str(raised.value).split(": ")[-1]
    assert words in str(raised.value) and last in program("odds", "--shots", shots, status=status)
