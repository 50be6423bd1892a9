"""A small network that learns to shoot by imitating the captain `admiral`, in plain numpy.

    pip install ./crates/broadside-python[gymnasium]
    python crates/broadside-python/examples/imitate.py --minutes 5

The network sees the board and the ships that are left, and gives each cell a score. It plays on many boards at once; on every
board `admiral` says what it would have done, and the network is moved towards that (DAgger: Ross, Gordon and Bagnell 2011). So it
learns on positions that its own play leads to. At the end it plays games that it has never seen, beside the captains on the
same layouts.
"""

from __future__ import annotations

import argparse
import time
from typing import Any

import numpy as np
from numpy.typing import NDArray

import broadside
from broadside.gymnasium import ShooterVectorEnv

Array = NDArray[np.float32]


class Network:
    """Two hidden layers, ReLU, and Adam (Kingma and Ba 2015)."""

    def __init__(self, sizes: list[int], seed: int) -> None:
        random = np.random.default_rng(seed)
        pairs = list(zip(sizes[:-1], sizes[1:], strict=True))
        self.weights: list[Array] = [random.normal(0, np.sqrt(2 / a), (a, b)).astype(np.float32) for a, b in pairs]
        self.biases: list[Array] = [np.zeros(b, dtype=np.float32) for _, b in pairs]
        self.moments = [(np.zeros_like(p), np.zeros_like(p)) for p in self.parameters]
        self.updates = 0

    @property
    def parameters(self) -> list[Array]:
        return [*self.weights, *self.biases]

    def layers(self, inputs: Array) -> list[Array]:
        """The inputs, every hidden layer, and the scores."""
        layers = [inputs]
        for number, (weight, bias) in enumerate(zip(self.weights, self.biases, strict=True)):
            layer = layers[-1] @ weight + bias
            layers.append(layer if number == len(self.weights) - 1 else np.maximum(layer, 0))
        return layers

    def learn(self, inputs: Array, mask: NDArray[np.int8], targets: NDArray[np.int64], rate: float) -> float:
        """One step towards the targets; the loss before it."""
        layers = self.layers(inputs)
        chances = softmax(layers[-1], mask)
        rows = np.arange(len(targets))
        loss = float(-np.log(chances[rows, targets] + 1e-9).mean())
        slope = chances
        slope[rows, targets] -= 1
        slope /= len(targets)
        weights: list[Array] = []
        biases: list[Array] = []
        for number in reversed(range(len(self.weights))):
            weights.insert(0, layers[number].T @ slope)
            biases.insert(0, slope.sum(axis=0))
            if number:
                slope = (slope @ self.weights[number].T) * (layers[number] > 0)
        self._adam([*weights, *biases], rate)
        return loss

    def _adam(self, slopes: list[Array], rate: float) -> None:
        self.updates += 1
        for parameter, slope, (first, second) in zip(self.parameters, slopes, self.moments, strict=True):
            first += 0.1 * (slope - first)
            second += 0.001 * (slope * slope - second)
            step = first / (1 - 0.9**self.updates) / (np.sqrt(second / (1 - 0.999**self.updates)) + 1e-8)
            parameter -= np.float32(rate) * step


def softmax(scores: Array, mask: NDArray[np.int8]) -> Array:
    """Chances of the cells that may be fired at."""
    scores = np.where(mask > 0, scores, np.float32(-1e9))
    scores = np.exp(scores - scores.max(axis=1, keepdims=True))
    return scores / scores.sum(axis=1, keepdims=True)


def features(observations: NDArray[np.int16], fleet: list[int]) -> Array:
    """What the network sees: misses, hits and sinkings as planes of 0 and 1, and how many ships of each length are left."""
    boards = observations.reshape(len(observations), -1)
    kinds, lengths = boards & 3, boards >> 2
    planes = [(kinds == kind).astype(np.float32) for kind in (1, 2, 3)]
    sunk = kinds == 3
    left = [fleet.count(length) - (sunk & (lengths == length)).sum(axis=1) for length in sorted(set(fleet))]
    return np.concatenate([*planes, np.stack(left, axis=1).astype(np.float32)], axis=1)


def turn(observations: NDArray[np.int16], cells: NDArray[np.int64], way: int) -> tuple[NDArray[np.int16], NDArray[np.int64]]:
    """Boards and cells turned or mirrored: as good as new ones, if the board is a square."""
    size = observations.shape[1]
    numbers = np.arange(size * size).reshape(size, size)
    moved = np.rot90(numbers.T if way & 4 else numbers, way & 3)
    where = np.empty(size * size, dtype=np.int64)
    where[moved.ravel()] = np.arange(size * size)
    return observations.reshape(len(observations), -1)[:, moved.ravel()].reshape(observations.shape), where[cells]


def train(rules: broadside.Rules, seconds: float, boards: int, seed: int) -> Network:
    """A network that has imitated `admiral` for so long."""
    env, random = ShooterVectorEnv(boards, rules), np.random.default_rng(seed)
    observations, info = env.reset(seed=seed)
    network = Network([features(observations, rules.fleet).shape[1], 512, 512, rules.rows * rules.cols], seed)
    start, shown, loss = time.monotonic(), 0.0, float(np.log(rules.rows * rules.cols))
    while (elapsed := time.monotonic() - start) < seconds:
        wanted, mask = env.teacher_actions("admiral"), info["action_mask"]
        # A board whose game has just ended has nothing to teach.
        on = mask.sum(axis=1) > 0
        turned, cells = turn(observations, wanted, int(random.integers(8))) if rules.rows == rules.cols else (observations, wanted)
        open_cells = (turned.reshape(boards, -1) == 0).astype(np.int8)
        rate = 1e-3 * max(0.02, 1 - elapsed / seconds)
        loss += 0.02 * (network.learn(features(turned[on], rules.fleet), open_cells[on], cells[on], rate) - loss)
        actions = choose(network, observations, mask, rules)
        follow = random.random(boards) < 0.3
        observations, _, _, _, info = env.step(np.where(follow, wanted, actions))
        if elapsed - shown >= 15:
            shown = elapsed
            print(f"{elapsed:5.0f} s, {network.updates:6} updates of {boards} positions, loss {loss:.3f}", flush=True)
    return network


def choose(network: Network, observations: NDArray[np.int16], mask: NDArray[np.int8], rules: broadside.Rules) -> NDArray[np.int64]:
    """The cells with the highest scores."""
    scores = network.layers(features(observations, rules.fleet))[-1]
    return np.where(mask > 0, scores, -np.inf).argmax(axis=1).astype(np.int64)


def shots(network: Network, rules: broadside.Rules, games: int, seed: int) -> NDArray[np.int64]:
    """How many shots the network takes for each of the first games of a campaign."""
    env = ShooterVectorEnv(games, rules)
    observations, info = env.reset(seed=seed)
    taken, running = np.zeros(games, dtype=np.int64), np.ones(games, dtype=bool)
    while running.any():
        observations, _, terminated, _, info = env.step(choose(network, observations, info["action_mask"], rules))
        taken += running
        running &= ~terminated
    return taken


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--minutes", type=float, default=5.0)
    parser.add_argument("--boards", type=int, default=1024)
    parser.add_argument("--games", type=int, default=4000, help="games for the test")
    parser.add_argument("--rules", default="classic")
    arguments: Any = parser.parse_args()
    rules = broadside.Rules(arguments.rules)
    # Seed 1 is learnt on, seed 2 is tested on: no layout is seen before.
    network = train(rules, 60 * arguments.minutes, arguments.boards, seed=1)
    taken = shots(network, rules, arguments.games, seed=2)
    captains = broadside.simulate(rules, ["random", "hunt-target", "density", "admiral"], games=arguments.games, seed=2).captains
    print(f"\nmean shots over the same {arguments.games} games of {rules}, none of them seen before")
    for name, mean, error in [
        *((captain.name, captain.mean, captain.std_err) for captain in captains[:2]),
        (f"the network, after {arguments.minutes:g} minutes", taken.mean(), taken.std(ddof=1) / np.sqrt(len(taken))),
        *((captain.name, captain.mean, captain.std_err) for captain in captains[2:]),
    ]:
        print(f"{name:<32} {mean:7.2f} ± {error:.2f}")


if __name__ == "__main__":
    main()
