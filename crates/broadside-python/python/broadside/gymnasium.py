"""One shooter against a hidden layout, as Gymnasium environments. Importing this module registers them.

`gymnasium.make("broadside/Shooter-v0")` is one board, `gymnasium.make_vec("broadside/Shooter-v0", num_envs=1024)` many boards
that are stepped in Rust. Both take:

- `rules`: a preset, a text or `broadside.Rules`;
- `rewards`: the name of a scheme (`REWARDS`) or a dict with any of `miss`, `hit`, `sunk`, `won`, `repeated`;
- `max_steps`: shots after which an episode is truncated; four times the number of cells unless told.

An action is the number of a cell in reading order. An observation has the shape of the board: 0 where nobody has fired; elsewhere
its remainder by 4 is 1 for a miss, 2 for a hit, 3 for a hit that sank a ship, and its quotient by 4 is the length that was called
with it, if one was. `info["action_mask"]` is 1 for cells not fired at. Rocks look like misses. A repeated shot costs reward and changes nothing else.

The episodes after `reset(seed=s)` are the games of the program's campaign with seed s: one board plays games 0, 1, 2 …, of n boards
board b plays games b, b + n, b + 2n ….

>>> import gymnasium, broadside.gymnasium
>>> env = gymnasium.make("broadside/Shooter-v0", rules="sploosh")
>>> observation, info = env.reset(seed=1)
>>> done, shots = False, 0
>>> while not done:
...     observation, reward, terminated, truncated, info = env.step(env.unwrapped.teacher_action("density"))
...     done, shots = terminated or truncated, shots + 1
>>> shots == int(broadside.play_range("sploosh", "density", 1, 0, 1).captains[0].mean)
True
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, SupportsInt

import gymnasium as gym
import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from . import Boards, Odds, Rules, _render

__all__ = ["REWARDS", "ShooterEnv", "ShooterVectorEnv", "observation_space", "register_envs", "rewards_of"]

REWARDS: Mapping[str, Mapping[str, float]] = {
    # Every shot costs 1: the return is the number of shots, negated.
    "shots": {"miss": -1.0, "hit": -1.0, "sunk": 0.0, "won": 0.0, "repeated": -1.0},
    # Hits are worth something, so that there is something to learn from early on.
    "hits": {"miss": -0.1, "hit": 1.0, "sunk": 0.0, "won": 0.0, "repeated": -1.0},
    # Nothing but the end counts; a repeated shot costs a little.
    "sparse": {"miss": 0.0, "hit": 0.0, "sunk": 0.0, "won": 1.0, "repeated": -0.1},
}
"""The reward schemes: what a shot is worth, by its outcome. `sunk` and `won` are added to `hit`."""

_OUTCOMES = ("miss", "hit", "sunk", "won", "repeated")


def rewards_of(scheme: str | Mapping[str, float]) -> tuple[float, float, float, float, float]:
    """The five numbers of a scheme; a dict replaces numbers of the scheme 'shots'.

    >>> rewards_of({"repeated": -5})
    (-1.0, -1.0, 0.0, 0.0, -5.0)
    """
    if isinstance(scheme, str):
        if scheme not in REWARDS:
            raise ValueError(f"there is no reward scheme {scheme!r}: use one of {', '.join(REWARDS)}, or a dict")
        scheme = REWARDS[scheme]
    unknown = set(scheme) - set(_OUTCOMES)
    if unknown:
        raise ValueError(f"rewards are given for {', '.join(_OUTCOMES)}, not for {', '.join(sorted(unknown))}")
    numbers = {**REWARDS["shots"], **scheme}
    miss, hit, sunk, won, repeated = (float(numbers[outcome]) for outcome in _OUTCOMES)
    return miss, hit, sunk, won, repeated


def observation_space(rules: Rules) -> Any:
    """What the answers on a board can look like."""
    return gym.spaces.Box(0, 3 + 4 * max(rules.fleet), shape=rules.shape, dtype=np.int16)


class _Arrays:
    """The boards, and the arrays that they are written to."""

    def __init__(self, rules: Rules, number: int, rewards: str | Mapping[str, float], max_steps: int | None) -> None:
        cells = rules.rows * rules.cols
        self.boards = Boards(rules, number, rewards=rewards_of(rewards), max_steps=max_steps)
        self.observations = np.zeros((number, cells), dtype=np.int16)
        self.masks = np.ones((number, cells), dtype=np.int8)
        self.rewards = np.zeros(number, dtype=np.float64)
        self.terminated = np.zeros(number, dtype=np.bool_)
        self.truncated = np.zeros(number, dtype=np.bool_)
        self.shape = (number, rules.rows, rules.cols)

    def reset(self, seed: int | None, which: NDArray[np.bool_] | None = None) -> None:
        self.boards.reset(self.observations, self.masks, seed, which)
        self.terminated[... if which is None else which] = False
        self.truncated[... if which is None else which] = False

    def step(self, actions: NDArray[np.int64], autoreset: bool) -> None:
        self.boards.step(
            actions, self.observations, self.masks, self.rewards, self.terminated, self.truncated, autoreset=autoreset
        )


class ShooterEnv(gym.Env[NDArray[np.int16], np.int64]):
    """One board: `broadside/Shooter-v0`. See the module for what it takes and gives."""

    metadata = {"render_modes": ["ansi", "rgb_array"], "render_fps": 4}

    def __init__(
        self,
        rules: Rules | str = "classic",
        *,
        rewards: str | Mapping[str, float] = "shots",
        max_steps: int | None = None,
        render_mode: str | None = None,
    ) -> None:
        if render_mode is not None and render_mode not in self.metadata["render_modes"]:
            raise ValueError(f"render_mode is one of {self.metadata['render_modes']}, not {render_mode!r}")
        self.rules = Rules(rules) if isinstance(rules, str) else rules
        self.render_mode = render_mode
        self.observation_space = observation_space(self.rules)
        self.action_space: gym.spaces.Discrete = gym.spaces.Discrete(self.rules.rows * self.rules.cols)
        self._arrays = _Arrays(self.rules, 1, rewards, max_steps)
        self._action = np.zeros(1, dtype=np.int64)
        self._started = False

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.int16], dict[str, Any]]:
        super().reset(seed=seed)
        if seed is None and not self._started:
            seed = int(self.np_random.integers(2**63))
        self._started = True
        self._arrays.reset(seed)
        return self._observation(), self._info()

    def step(self, action: SupportsInt) -> tuple[NDArray[np.int16], float, bool, bool, dict[str, Any]]:
        arrays = self._arrays
        self._action[0] = int(action)
        arrays.step(self._action, autoreset=False)
        return (
            self._observation(),
            float(arrays.rewards[0]),
            bool(arrays.terminated[0]),
            bool(arrays.truncated[0]),
            self._info(),
        )

    def _observation(self) -> NDArray[np.int16]:
        observation: NDArray[np.int16] = self._arrays.observations[0].reshape(self.rules.shape)
        return observation.copy()

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self._arrays.masks[0].copy(), "game": int(self._arrays.boards.games[0])}

    def render(self) -> Any:
        """The board as text ('ansi') or as an image ('rgb_array')."""
        board = self._arrays.observations[0].reshape(self.rules.shape)
        if self.render_mode == "ansi":
            return _render.text(board)
        if self.render_mode == "rgb_array":
            return _render.image(board)
        return None

    @property
    def log(self) -> str:
        """The shots so far with their answers."""
        return self._arrays.boards.shots()

    def odds(self) -> Odds:
        """The exact odds of the position."""
        return self._arrays.boards.odds()

    def action_masks(self) -> NDArray[np.bool_]:
        """The mask as sb3-contrib's MaskablePPO asks for it."""
        mask: NDArray[np.bool_] = self._arrays.masks[0].astype(np.bool_)
        return mask

    def teacher_action(self, captain: str = "admiral") -> np.int64:
        """What a captain would do now. Asked from the first shot on, it plays as it does in the campaign."""
        return np.int64(self._arrays.boards.aim(captain)[0])


class ShooterVectorEnv(VectorEnv[NDArray[np.int16], NDArray[np.int64], NDArray[Any]]):
    """Many boards, stepped in Rust. See the module for what it takes and gives.

    A board whose game has ended starts the next one with the next step, which ignores its action (`AutoresetMode.NEXT_STEP`).
    With `copy=False` every step returns the same arrays, written in place.
    """

    metadata = {"render_modes": ["ansi", "rgb_array"], "autoreset_mode": AutoresetMode.NEXT_STEP}

    def __init__(
        self,
        num_envs: int = 1,
        rules: Rules | str = "classic",
        *,
        rewards: str | Mapping[str, float] = "shots",
        max_steps: int | None = None,
        copy: bool = True,
        render_mode: str | None = None,
    ) -> None:
        self.rules = Rules(rules) if isinstance(rules, str) else rules
        self.num_envs = num_envs
        self.render_mode = render_mode
        self.copy = copy
        self.single_observation_space = observation_space(self.rules)
        self.single_action_space = gym.spaces.Discrete(self.rules.rows * self.rules.cols)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._arrays = _Arrays(self.rules, num_envs, rewards, max_steps)
        self._all = np.ones(num_envs, dtype=np.bool_)
        self._started = False

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.int16], dict[str, Any]]:
        if isinstance(seed, list):
            raise ValueError("the boards play games of one campaign: give one seed")
        which = None if options is None else options.get("reset_mask")
        if seed is None and not self._started:
            seed = int(np.random.default_rng().integers(2**63))
        self._started = True
        self._arrays.reset(seed, which)
        return self._given(self._arrays.observations.reshape(self._arrays.shape)), self._info()

    def step(
        self, actions: NDArray[np.int64]
    ) -> tuple[NDArray[np.int16], NDArray[Any], NDArray[Any], NDArray[Any], dict[str, Any]]:
        arrays = self._arrays
        arrays.step(np.ascontiguousarray(actions, dtype=np.int64), autoreset=True)
        return (
            self._given(arrays.observations.reshape(arrays.shape)),
            self._given(arrays.rewards),
            self._given(arrays.terminated),
            self._given(arrays.truncated),
            self._info(),
        )

    def _given(self, array: NDArray[Any]) -> NDArray[Any]:
        return array.copy() if self.copy else array

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self._given(self._arrays.masks), "_action_mask": self._all}

    def render(self) -> Any:
        """All boards as texts ('ansi') or images ('rgb_array')."""
        boards = self._arrays.observations.reshape(self._arrays.shape)
        if self.render_mode == "ansi":
            return tuple(_render.text(board) for board in boards)
        if self.render_mode == "rgb_array":
            return tuple(_render.image(board) for board in boards)
        return None

    @property
    def games(self) -> NDArray[np.uint64]:
        """The number of the game on each board."""
        return self._arrays.boards.games

    def odds(self, board: int = 0) -> Odds:
        """The exact odds of the position on a board."""
        return self._arrays.boards.odds(board)

    def teacher_actions(self, captain: str = "admiral") -> NDArray[np.int64]:
        """What a captain would do on each board, on all cores."""
        return self._arrays.boards.aim(captain)


def register_envs() -> None:
    """Registers `broadside/Shooter-v0`; importing this module does it by itself."""
    if "broadside/Shooter-v0" not in gym.registry:
        gym.register(
            "broadside/Shooter-v0",
            entry_point="broadside.gymnasium:ShooterEnv",
            vector_entry_point="broadside.gymnasium:ShooterVectorEnv",
        )


register_envs()
