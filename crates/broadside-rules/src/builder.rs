//! Rules put together part by part.

use std::str::FromStr;

use crate::fit::{self, FitError};
use crate::{Call, Cell, CellSet, Fleet, Grid, Noise, ParseRulesError, Preset, Rocks, Rules, Salvo, SalvoCall, Stop, Touch};

/// The parts of [`Rules`], not yet checked to go together.
///
/// This is the way to override parts of a preset: each `with_` method takes a value, or an `Option` of which `None`
/// leaves the part as it is.
///
/// ```
/// use broadside_rules::{Call, Preset, Touch};
/// let board = Some("8x12".parse()?);
/// let touch: Option<Touch> = None;
/// let rules = Preset::Russian.builder().with_grid(board).with_touch(touch).with_call(Call::Every).build()?;
/// assert_eq!(rules.to_string(), "8x12 4,3,3,2,2,2,1,1,1,1 never every");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[must_use]
pub struct RulesBuilder {
    grid: Grid,
    fleet: Fleet,
    touch: Touch,
    call: Call,
    rocks: Rocks,
    salvo: Salvo,
    noise: Noise,
}

impl RulesBuilder {
    /// These four parts, without rocks, with one shot a turn and true answers.
    pub fn new(grid: Grid, fleet: Fleet, touch: Touch, call: Call) -> Self {
        Self { grid, fleet, touch, call, rocks: Rocks::none(), salvo: Salvo::SINGLE, noise: Noise::NONE }
    }

    /// The board's size.
    pub fn grid(&self) -> Grid {
        self.grid
    }

    /// The ships.
    pub fn fleet(&self) -> &Fleet {
        &self.fleet
    }

    /// The same with another board.
    pub fn with_grid(mut self, grid: impl Into<Option<Grid>>) -> Self {
        self.grid = grid.into().unwrap_or(self.grid);
        self
    }

    /// The same with another fleet.
    pub fn with_fleet(mut self, fleet: impl Into<Option<Fleet>>) -> Self {
        self.fleet = fleet.into().unwrap_or(self.fleet);
        self
    }

    /// The same with another touch rule.
    pub fn with_touch(mut self, touch: impl Into<Option<Touch>>) -> Self {
        self.touch = touch.into().unwrap_or(self.touch);
        self
    }

    /// The same with another call.
    pub fn with_call(mut self, call: impl Into<Option<Call>>) -> Self {
        self.call = call.into().unwrap_or(self.call);
        self
    }

    /// The same with other rocks.
    pub fn with_rocks(mut self, rocks: impl Into<Option<Rocks>>) -> Self {
        self.rocks = rocks.into().unwrap_or(self.rocks);
        self
    }

    /// The same with other turns.
    pub fn with_salvo(mut self, salvo: impl Into<Option<Salvo>>) -> Self {
        self.salvo = salvo.into().unwrap_or(self.salvo);
        self
    }

    /// The same with another chance of false answers.
    pub fn with_noise(mut self, noise: impl Into<Option<Noise>>) -> Self {
        self.noise = noise.into().unwrap_or(self.noise);
        self
    }

    /// The rocks.
    pub fn rocks(&self) -> &Rocks {
        &self.rocks
    }

    /// The rules, if the fleet fits the board.
    ///
    /// Where neither a proof nor a simple packing decides that, it is searched, for some seconds at the most.
    ///
    /// # Errors
    /// When the fleet can't be placed on the grid under the touch rule, with the reason.
    pub fn build(self) -> Result<Rules, FitError> {
        let positions = fit::default_positions(self.grid);
        self.build_within(positions)
    }

    /// The rules, if it can be shown in a search of at most so many positions that the fleet fits the board.
    ///
    /// The search takes memory for each position and time in proportion to positions times the different lengths of the
    /// fleet. With 0 positions nothing is searched: only a proof and a packing along rows or columns decide.
    ///
    /// ```
    /// use broadside_rules::{FitError, RulesBuilder, Touch, Call};
    /// let tight = RulesBuilder::new("4x4".parse()?, "2,2,2,2,2,2,2,2".parse()?, Touch::Corners, Call::Ship);
    /// assert!(tight.build_within(0).is_err());
    /// let easy = RulesBuilder::new("4x4".parse()?, "4,3,2".parse()?, Touch::Allowed, Call::Ship);
    /// assert!(easy.build_within(0).is_ok());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// When the fleet can't be placed, with the reason; [`FitError::Undecided`] when the positions were not enough to tell.
    pub fn build_within(self, positions: usize) -> Result<Rules, FitError> {
        self.build_until(positions, Stop::never())
    }

    /// [`RulesBuilder::build_within`], unless it is stopped.
    ///
    /// # Errors
    /// When the fleet can't be placed, the positions were not enough to tell, or it is stopped.
    pub fn build_until(self, positions: usize, stop: Stop) -> Result<Rules, FitError> {
        fit::check(self.grid, &self.fleet, self.touch, &self.rock_cells()?, positions, stop)?;
        Ok(self.checked())
    }

    /// The rules, unless a simple proof shows that the fleet doesn't fit. For data that was checked before.
    pub(crate) fn build_unsearched(self) -> Result<Rules, FitError> {
        fit::refute(self.grid, &self.fleet, self.touch, &self.rock_cells()?)?;
        Ok(self.checked())
    }

    /// The rules of parts that go together.
    fn checked(self) -> Rules {
        let rules = Rules::from_checked_parts(self.grid, self.fleet, self.touch, self.call, &self.rocks);
        rules.with_salvo(self.salvo).with_noise(self.noise)
    }

    /// The rocks as cells of the board, if the parts besides them go together.
    fn rock_cells(&self) -> Result<CellSet, FitError> {
        if !self.noise.is_none() && self.salvo.call() == SalvoCall::Count {
            return Err(FitError::NoisyCount);
        }
        let off = |cell: &Cell| !self.grid.contains(*cell);
        match self.rocks.cells().iter().copied().find(off) {
            Some(cell) => Err(FitError::RockOffGrid { cell, grid: self.grid }),
            None => Ok(CellSet::from_cells(self.grid, self.rocks.cells().iter().copied())),
        }
    }
}

/// Reads the name of a preset, or the notation of [`Rules`].
impl FromStr for RulesBuilder {
    type Err = ParseRulesError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let unreadable = || ParseRulesError::Words(text.chars().take(64).collect());
        let words: Vec<&str> = text.split_whitespace().take(8).collect();
        let (grid, fleet, touch, call, more) = match words[..] {
            [preset] => return preset.parse().map(Preset::builder).map_err(|_| unreadable()),
            [grid, fleet, touch, call, ref more @ ..] => (grid, fleet, touch, call, more),
            _ => return Err(unreadable()),
        };
        let (mut rocks, mut salvo, mut noise) = (None, None, None);
        for word in more {
            match word.split_once('=') {
                Some(("rocks", text)) if rocks.is_none() => rocks = Some(text.parse::<Rocks>()?),
                Some(("salvo", text)) if salvo.is_none() => salvo = Some(text.parse::<Salvo>()?),
                Some(("noise", text)) if noise.is_none() => noise = Some(text.parse::<Noise>()?),
                _ => return Err(unreadable()),
            }
        }
        let builder = Self::new(grid.parse()?, fleet.parse()?, touch.parse()?, call.parse()?);
        Ok(builder.with_rocks(rocks).with_salvo(salvo).with_noise(noise))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stopped_search_is_an_error_and_not_a_verdict() {
        let stop = Stop::new();
        stop.stop();
        let tight: RulesBuilder = "8x10 3,3,3,2,2,2,2,1,1,1,1,1,1,1,1,1,1 never ship".parse().unwrap();
        assert!(matches!(tight.build_until(1_000_000, stop.clone()), Err(FitError::Stopped(_))));
        assert!(Preset::Classic.builder().build_until(0, stop).is_ok(), "nothing has to be searched");
    }
}
