"""How fast it is: `python -m broadside.bench`.

Everything is measured in one run on one thread: environments beside one written in plain numpy, OpenSpiel's battleship where it is
installed, and `odds_many` beside the engine in Rust. A rate is what is done in a second of processor time, so that other programs
on the machine count little, and the best of several rounds, since they only ever slow one down.
"""

from __future__ import annotations

import argparse
import importlib.util
import time
from collections.abc import Callable
from typing import Any

import gymnasium as gym
import numpy as np
from numpy.typing import NDArray

from . import Boards, Rules, deal, odds, odds_many
from .gymnasium import ShooterEnv, ShooterVectorEnv


class PlainEnv(gym.Env[NDArray[np.int16], np.int64]):
    """The baseline: one board in plain numpy, as such environments are usually written."""

    def __init__(self) -> None:
        self.lengths = [5, 4, 3, 3, 2]
        self.observation_space = gym.spaces.Box(0, 3, shape=(10, 10), dtype=np.int16)
        self.action_space: gym.spaces.Discrete = gym.spaces.Discrete(100)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[NDArray[np.int16], dict[str, Any]]:
        super().reset(seed=seed)
        self.ships = np.zeros((10, 10), dtype=np.int16)
        for number, length in enumerate(self.lengths, 1):
            while True:
                row, col, down = self.np_random.integers(10), self.np_random.integers(11 - length), self.np_random.integers(2)
                place = (slice(col, col + length), row) if down else (row, slice(col, col + length))
                if not self.ships[place].any():
                    self.ships[place] = number
                    break
        self.board = np.zeros((10, 10), dtype=np.int16)
        return self.board.copy(), {"action_mask": np.ones(100, dtype=np.int8)}

    def step(self, action: np.int64) -> tuple[NDArray[np.int16], float, bool, bool, dict[str, Any]]:
        row, col = divmod(int(action), 10)
        if self.board[row, col] == 0:
            ship = self.ships[row, col]
            self.board[row, col] = 2 if ship else 1
            if ship and (self.board[self.ships == ship] >= 2).all():
                self.board[row, col] = 3
        over = bool((self.board[self.ships > 0] >= 2).all())
        return self.board.copy(), -1.0, over, False, {"action_mask": (self.board.ravel() == 0).astype(np.int8)}


def _rate(work: Callable[[], int], seconds: float, rounds: int = 5) -> float:
    """How much is done in a second of processor time: the best of some rounds."""
    best = 0.0
    for _ in range(rounds):
        start, done = time.process_time(), 0
        while (elapsed := time.process_time() - start) < seconds / rounds:
            done += work()
        best = max(best, done / elapsed)
    return best


def single(env: gym.Env[Any, Any], seconds: float) -> float:
    """Steps a second of one environment with random legal actions, drawn beforehand; resets included."""
    random = np.random.default_rng(1)
    env.reset(seed=1)
    cells = 100

    def game() -> int:
        env.reset()
        for steps, action in enumerate(random.permutation(cells), 1):
            if env.step(action)[2]:
                return steps
        return cells

    return _rate(game, seconds)


def recorded(boards: int, steps: int) -> NDArray[np.int64]:
    """Actions for so many boards and steps with which no cell is fired at twice: on each board a random order of the cells, anew for
    every game. They are found by playing the games once."""
    env, random = ShooterVectorEnv(boards), np.random.default_rng(1)
    env.reset(seed=1)
    orders, shots = np.argsort(random.random((boards, 100)), axis=1), np.zeros(boards, dtype=np.int64)
    rows: list[NDArray[np.int64]] = []
    ended = np.zeros(boards, dtype=np.bool_)
    for _ in range(steps):
        shots[ended] = 0
        rows.append(orders[np.arange(boards), shots])
        terminated = env.step(rows[-1])[2]
        shots += ~ended
        ended = terminated
    return np.array(rows)


def vector(boards: int, copy: bool, actions: NDArray[np.int64], seconds: float) -> float:
    """Steps a second of the vector environment, one thread; dealing and new games included."""
    env = ShooterVectorEnv(boards, copy=copy)

    def run() -> int:
        env.reset(seed=1)
        for row in actions:
            env.step(row)
        return int(actions.size)

    return _rate(run, seconds)


def core(boards: int, actions: NDArray[np.int64], seconds: float) -> float:
    """Steps a second of the boards themselves, without Gymnasium around them."""
    games = Boards("classic", boards)
    observations, masks = np.zeros((boards, 100), dtype=np.int16), np.ones((boards, 100), dtype=np.int8)
    rewards, ended, given_up = np.zeros(boards), np.zeros(boards, dtype=np.bool_), np.zeros(boards, dtype=np.bool_)

    def run() -> int:
        games.reset(observations, masks, 1)
        for row in actions:
            games.step(row, observations, masks, rewards, ended, given_up)
        return int(actions.size)

    return _rate(run, seconds)


def open_spiel(seconds: float) -> float | None:
    """Games a second of OpenSpiel's battleship on 10x10 with random play; None where it isn't installed."""
    if importlib.util.find_spec("pyspiel") is None:
        return None
    import pyspiel

    parameters = {"board_width": 10, "board_height": 10, "ship_sizes": "[5;4;3;3;2]", "ship_values": "[1;1;1;1;1]", "num_shots": 100}
    game, random = pyspiel.load_game("battleship", parameters), np.random.default_rng(1)

    def play() -> int:
        state = game.new_initial_state()
        while not state.is_terminal():
            state.apply_action(random.choice(state.legal_actions()))
        return 1

    return _rate(play, seconds, rounds=1)


def random_games(seconds: float) -> float:
    """Games a second of one environment with the same random play, for OpenSpiel's sake: both sides of a game are two of them."""
    env, random = ShooterEnv(), np.random.default_rng(1)
    env.reset(seed=1)

    def play() -> int:
        _, info = env.reset()
        over = False
        while not over:
            _, _, over, _, info = env.step(random.choice(np.flatnonzero(info["action_mask"])))
        return 1

    return _rate(play, seconds, rounds=1) / 2


def positions(number: int) -> list[str]:
    """Logs from the middle of random games."""
    from . import Referee

    logs, random = [], np.random.default_rng(1)
    for game in range(number):
        referee = Referee("classic", seed=1, game=game)
        for cell in random.permutation(100)[: 20 + game % 40]:
            if not referee.over:
                referee.fire(int(cell))
        logs.append(referee.log)
    return logs


def odds_rates(number: int, rounds: int = 5) -> tuple[float, float]:
    """Logs a second: of `odds_many` from Python, texts in and numpy out, and of the engine alone, by turns."""
    from ._broadside import _count_many_seconds

    logs, python, rust = positions(number), float("inf"), float("inf")
    odds_many("classic", logs[:64], threads=1)
    for _ in range(rounds):
        start = time.perf_counter()
        odds_many("classic", logs, threads=1)
        python = min(python, time.perf_counter() - start)
        rust = min(rust, _count_many_seconds("classic", logs, threads=1))
    return number / python, number / rust


def cluster_rates(games: int, rounds: int = 3) -> tuple[float, float]:
    """Games a second of a campaign by Dask with one worker and with two, by turns, on processes of this machine; by the clock."""
    from distributed import Client, LocalCluster

    from . import dask

    best = [float("inf"), float("inf")]
    for _ in range(rounds):
        for number in (1, 2):
            options = {"n_workers": number, "threads_per_worker": 1, "dashboard_address": None, "silence_logs": "ERROR"}
            with LocalCluster(**options) as cluster, Client(cluster) as client:
                client.wait_for_workers(number)
                dask.simulate(client, "classic", ["density"], 1000, 2, range_games=100)
                start = time.perf_counter()
                dask.simulate(client, "classic", ["density"], games, 1)
                best[number - 1] = min(best[number - 1], time.perf_counter() - start)
    return games / best[0], games / best[1]


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(prog="python -m broadside.bench", description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=5.0, help="seconds for each line (default 5)")
    parser.add_argument("--logs", type=int, default=2000, help="logs for odds_many (default 2000)")
    parser.add_argument("--steps", type=int, default=400, help="steps of many boards in a round (default 400)")
    parser.add_argument("--cluster", type=int, metavar="GAMES", help="also play a campaign of so many games by one Dask worker and by two")
    arguments = parser.parse_args()
    seconds: float = arguments.seconds
    assert odds("classic").layouts == 15_046_987_768 and deal(Rules("classic"), 1)[0].sum() == 17
    plain = single(PlainEnv(), seconds)

    def line(name: str, rate: float, beside: float, what: str) -> None:
        print(f"{name:<52} {rate:>14,.0f}/s   {rate / beside:>8.2f} times {what}")

    print("classic rules, random play, one thread, dealing included; steps a second")
    line("plain numpy, one board (the baseline)", plain, plain, "plain numpy")
    line("Shooter-v0, one board", single(ShooterEnv(), seconds), plain, "plain numpy")
    for boards in (1024, 16384):
        actions = recorded(boards, arguments.steps)
        line(f"vector, {boards} boards, fresh arrays", vector(boards, True, actions, seconds), plain, "plain numpy")
        line(f"vector, {boards} boards, in place", vector(boards, False, actions, seconds), plain, "plain numpy")
        line(f"boards alone, {boards}, in place", core(boards, actions, seconds), plain, "plain numpy")
    spiel = open_spiel(seconds)
    print("\ngames of two sides a second")
    ours = random_games(seconds)
    if spiel is None:
        print("OpenSpiel isn't installed: pip install open_spiel")
    else:
        line("OpenSpiel's battleship, 10x10", spiel, spiel, "OpenSpiel")
        line("two Shooter-v0 boards", ours, spiel, "OpenSpiel")
    python, rust = odds_rates(arguments.logs)
    print("\nexact odds of logs a second, one thread")
    line("the engine in Rust", rust, rust, "the engine")
    line("odds_many from Python", python, rust, "the engine")
    if arguments.cluster:
        one, two = cluster_rates(arguments.cluster)
        print("\ngames of density a second by Dask, by the clock: needs two cores that nobody else uses")
        line("one worker", one, one, "one worker")
        line("two workers", two, one, "one worker")


if __name__ == "__main__":
    main()
