//! The rules of one game.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use crate::text::{quote, serde_by_notation};
use crate::{
    Call, Cell, CellSet, FitError, Fleet, FleetError, Grid, GridError, Length, Noise, ParseCallError, ParseNoiseError,
    ParseRocksError, ParseSalvoError, ParseTouchError, Placement, Preset, Rocks, RulesBuilder, Salvo, Symmetry, Touch,
};

/// The rules of a game: grid, fleet, touch and call, written `10x10 5,4,3,3,2 allowed ship`, rocks if there are any, how many
/// shots a turn has if it is more than one, and the chance of a false answer if there is one:
/// `10x10 5,4,3,3,2 allowed ship rocks=C3,D4 salvo=ships noise=0.05`.
///
/// A value of this type is proof that its fleet fits its grid. It is cheap to clone.
///
/// ```
/// use broadside_rules::{Call, Preset, Rules, Touch};
/// let rules: Rules = "8x8 4,3,2 allowed ship".parse()?;
/// assert_eq!(rules, Preset::Sploosh.rules());
/// assert_eq!("russian".parse::<Rules>()?.touch(), Touch::Never);
/// assert!("4x4 5 allowed ship".parse::<Rules>().is_err());
/// # Ok::<(), broadside_rules::ParseRulesError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Rules {
    grid: Grid,
    fleet: Fleet,
    touch: Touch,
    call: Call,
    /// None if there are no rocks, so that rules without them cost nothing more.
    rocks: Option<Arc<CellSet>>,
    salvo: Salvo,
    noise: Noise,
}

impl Rules {
    /// These four rules together, without rocks, with one shot a turn and true answers.
    ///
    /// # Errors
    /// When the fleet can't be placed on the grid under the touch rule, with the reason.
    pub fn new(grid: Grid, fleet: Fleet, touch: Touch, call: Call) -> Result<Self, FitError> {
        RulesBuilder::new(grid, fleet, touch, call).build()
    }

    /// Reads rules that were checked before they were stored, as [`Display`](fmt::Display) wrote them.
    ///
    /// It doesn't search again for a way to place the fleet, so it takes microseconds for any text. Give it only what
    /// [`Rules`] printed. A fleet that can't be placed does no harm beyond that: no layout is legal, and dealing fails.
    ///
    /// ```
    /// use broadside_rules::{Preset, Rules};
    /// let rules = Preset::Russian.rules();
    /// assert_eq!(Rules::from_stored(&rules.to_string())?, rules);
    /// assert!(Rules::from_stored("10x10 5,4").is_err());
    /// # Ok::<(), broadside_rules::StoredRulesError>(())
    /// ```
    ///
    /// # Errors
    /// When the text can't be read, or the fleet is too large for the board at first sight: the stored data is damaged.
    pub fn from_stored(text: &str) -> Result<Self, StoredRulesError> {
        let builder: RulesBuilder = text.parse()?;
        Ok(builder.build_unsearched().map_err(ParseRulesError::from)?)
    }

    /// Rules from parts that are known to go together.
    pub(crate) fn from_checked_parts(grid: Grid, fleet: Fleet, touch: Touch, call: Call, rocks: &Rocks) -> Self {
        let rocks = (!rocks.is_empty()).then(|| Arc::new(CellSet::from_cells(grid, rocks.cells().iter().copied())));
        Self { grid, fleet, touch, call, rocks, salvo: Salvo::SINGLE, noise: Noise::NONE }
    }

    /// The board's size.
    #[inline]
    pub fn grid(&self) -> Grid {
        self.grid
    }

    /// The ships.
    #[inline]
    pub fn fleet(&self) -> &Fleet {
        &self.fleet
    }

    /// How close ships may lie.
    #[inline]
    pub fn touch(&self) -> Touch {
        self.touch
    }

    /// What the defender calls out.
    #[inline]
    pub fn call(&self) -> Call {
        self.call
    }

    /// The cells where no ship can lie and nobody fires; `None` if there are none.
    ///
    /// ```
    /// use broadside_rules::Rules;
    /// let rules: Rules = "5x5 3,2 allowed ship rocks=C3,D4".parse()?;
    /// assert_eq!(rules.rocks().map(|rocks| rocks.to_string()).as_deref(), Some("C3 D4"));
    /// assert_eq!("classic".parse::<Rules>()?.rocks(), None);
    /// # Ok::<(), broadside_rules::ParseRulesError>(())
    /// ```
    #[inline]
    pub fn rocks(&self) -> Option<&CellSet> {
        self.rocks.as_deref()
    }

    /// Whether there is a rock on the cell.
    #[inline]
    pub fn is_rock(&self, cell: Cell) -> bool {
        self.rocks().is_some_and(|rocks| rocks.contains(cell))
    }

    /// How many shots a turn has, and when they are answered.
    #[inline]
    pub fn salvo(&self) -> Salvo {
        self.salvo
    }

    /// The shots of a turn of somebody whose own fleet is whole.
    ///
    /// ```
    /// use broadside_rules::Rules;
    /// assert_eq!("classic".parse::<Rules>()?.shots_a_turn(), 1);
    /// assert_eq!("5x5 3,2 allowed ship salvo=ships".parse::<Rules>()?.shots_a_turn(), 2);
    /// # Ok::<(), broadside_rules::ParseRulesError>(())
    /// ```
    #[inline]
    pub fn shots_a_turn(&self) -> usize {
        self.salvo.shots_in_turn(self.fleet.len())
    }

    /// The chance that an answer is false.
    #[inline]
    pub fn noise(&self) -> Noise {
        self.noise
    }

    /// The shots after which every game is over: each cell once, or as often as it may be fired at where answers may be false.
    ///
    /// ```
    /// use broadside_rules::Rules;
    /// assert_eq!("classic".parse::<Rules>()?.most_shots(), 100);
    /// assert_eq!("5x5 3,2 allowed silent noise=0.05".parse::<Rules>()?.most_shots(), 225);
    /// # Ok::<(), broadside_rules::ParseRulesError>(())
    /// ```
    pub fn most_shots(&self) -> usize {
        self.open_cells() * if self.noise.is_none() { 1 } else { Noise::MOST_SHOTS_AT_CELL }
    }

    /// The number of cells that can be fired at.
    pub fn open_cells(&self) -> usize {
        self.grid.len() - self.rocks().map_or(0, CellSet::len)
    }

    /// Whether a ship can lie there: on the board and on no rock.
    pub fn has_room_for(&self, ship: Placement) -> bool {
        ship.fits(self.grid) && !ship.cells().any(|cell| self.is_rock(cell))
    }

    /// Whether a layout is legal by these rules if and only if it is by the others: whatever is called, and however many shots a turn has.
    ///
    /// ```
    /// use broadside_rules::Rules;
    /// let rules: Rules = "5x5 3,2 allowed ship".parse()?;
    /// assert!(rules.has_layouts_of(&"5x5 3,2 allowed silent salvo=3".parse()?));
    /// assert!(!rules.has_layouts_of(&"5x5 3,2 never ship".parse()?));
    /// # Ok::<(), broadside_rules::ParseRulesError>(())
    /// ```
    pub fn has_layouts_of(&self, other: &Self) -> bool {
        let [own, others] = [self, other].map(|rules| (rules.grid, &rules.fleet, rules.touch, &rules.rocks));
        own == others
    }

    /// Every place of a ship of this length, in the order of [`Placement::all`].
    ///
    /// ```
    /// use broadside_rules::{Length, Rules};
    /// let rules: Rules = "1x6 2 allowed ship rocks=A3".parse()?;
    /// let places: Vec<String> = rules.placements(Length::new(2).unwrap()).map(|ship| ship.to_string()).collect();
    /// assert_eq!(places, ["A1-A2", "A4-A5", "A5-A6"]);
    /// # Ok::<(), broadside_rules::ParseRulesError>(())
    /// ```
    pub fn placements(&self, length: Length) -> impl Iterator<Item = Placement> + '_ {
        Placement::all(self.grid, length).filter(|&ship| self.has_room_for(ship))
    }

    /// The ways to lay the board onto itself that take rocks to rocks. The first leaves everything where it is.
    ///
    /// ```
    /// use broadside_rules::Rules;
    /// assert_eq!("classic".parse::<Rules>()?.symmetries().count(), 8);
    /// assert_eq!("5x5 3,2 allowed ship rocks=A1".parse::<Rules>()?.symmetries().count(), 2);
    /// # Ok::<(), broadside_rules::ParseRulesError>(())
    /// ```
    pub fn symmetries(&self) -> impl Iterator<Item = Symmetry> + Clone + '_ {
        let keeps = |way: &Symmetry| self.rocks().is_none_or(|rocks| rocks.iter().all(|cell| rocks.contains(way.cell(cell))));
        Symmetry::all(self.grid).filter(keeps)
    }

    /// The parts of these rules, to override some of them.
    ///
    /// ```
    /// use broadside_rules::Rules;
    /// let rules: Rules = "5x5 3,2 allowed ship rocks=C3".parse()?;
    /// let smaller = rules.builder().with_fleet("2".parse::<broadside_rules::Fleet>()?).build()?;
    /// assert_eq!(smaller.to_string(), "5x5 2 allowed ship rocks=C3");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn builder(&self) -> RulesBuilder {
        let rocks = Rocks::new(self.rocks().into_iter().flat_map(CellSet::iter));
        let builder = RulesBuilder::new(self.grid, self.fleet.clone(), self.touch, self.call);
        builder.with_rocks(rocks).with_salvo(self.salvo).with_noise(self.noise)
    }

    /// The same rules with another call, which never changes what fits.
    #[must_use]
    pub fn with_call(self, call: Call) -> Self {
        Self { call, ..self }
    }

    /// The same rules with other turns, which never change what fits.
    #[must_use]
    pub fn with_salvo(self, salvo: Salvo) -> Self {
        Self { salvo, ..self }
    }

    /// The same rules with another chance of false answers, which never changes what fits.
    #[must_use]
    pub fn with_noise(self, noise: Noise) -> Self {
        Self { noise, ..self }
    }
}

impl fmt::Display for Rules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {} {}", self.grid, self.fleet, self.touch, self.call)?;
        self.rocks().map_or(Ok(()), |rocks| write!(f, " rocks={}", Rocks::new(rocks.iter())))?;
        if !self.salvo.is_single() {
            write!(f, " salvo={}", self.salvo)?;
        }
        if self.noise.is_none() { Ok(()) } else { write!(f, " noise={}", self.noise) }
    }
}

/// The text is not a set of rules.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ParseRulesError {
    /// Neither a preset nor four words and what may follow them.
    #[error("{} is not a set of rules: write a preset ({}) or BOARD FLEET TOUCH CALL, such as ‘10x10 5,4,3,3,2 allowed ship’, and rocks=C3,D4 if there are rocks, salvo=ships if a turn is more than one shot, noise=0.05 if answers may be false", quote(.0), Preset::ALL.iter().map(|preset| preset.word()).collect::<Vec<_>>().join(", "))]
    Words(String),
    /// The board can't be read.
    #[error(transparent)]
    Grid(#[from] GridError),
    /// The fleet can't be read.
    #[error(transparent)]
    Fleet(#[from] FleetError),
    /// The touch rule can't be read.
    #[error(transparent)]
    Touch(#[from] ParseTouchError),
    /// The call can't be read.
    #[error(transparent)]
    Call(#[from] ParseCallError),
    /// The rocks can't be read.
    #[error(transparent)]
    Rocks(#[from] ParseRocksError),
    /// The number of shots a turn can't be read.
    #[error(transparent)]
    Salvo(#[from] ParseSalvoError),
    /// The chance of a false answer can't be read.
    #[error(transparent)]
    Noise(#[from] ParseNoiseError),
    /// The fleet doesn't fit.
    #[error(transparent)]
    Fit(#[from] FitError),
}

/// Stored rules can't be read: what was stored is damaged or was not written by [`Rules`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the stored rules can't be read")]
pub struct StoredRulesError {
    #[from]
    source: ParseRulesError,
}

impl FromStr for Rules {
    type Err = ParseRulesError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Ok(text.parse::<RulesBuilder>()?.build()?)
    }
}

serde_by_notation!(Rules);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_set_of_rules_is_refused() {
        for text in [
            "",
            "chess",
            "10x10",
            "10x10 5 allowed",
            "10x10 5 allowed ship more",
            "10x10 5 allowed ship rocks=",
            "10x10 5 allowed ship rocks=A1 rocks=A2",
            "10x10 5 allowed ship salvo=",
            "10x10 5 allowed ship salvo=2 salvo=2",
            "10x10 5 allowed ship salvo=2 rocks=A1 salvo=2",
            "10x10 5 allowed ship rocks=A1 salvo=2 more",
            "classic salvo=2",
            "10x10 5 allowed ship noise=",
            "10x10 5 allowed ship noise=0.5",
            "10x10 5 allowed ship noise=0.1 noise=0.1",
            "10x10 5 allowed ship rocks=A1 salvo=2 noise=0.1 more",
            "classic noise=0.1",
            "10x10 5 allowed ship rocks=A11",
            "classic rocks=A1",
            "0x5 1 allowed ship",
            "5x5 6 allowed ship",
        ] {
            assert!(text.parse::<Rules>().is_err(), "{text:?}");
        }
    }

    #[test]
    fn stored_rules_are_read_without_a_search() {
        let text = "8x10 3,3,3,2,2,2,2,1,1,1,1,1,1,1,1,1,1 never ship";
        let unsearched = text.parse::<RulesBuilder>().unwrap().build_within(0);
        assert!(matches!(unsearched, Err(FitError::Undecided { positions: 0, .. })), "only a search can decide this board");
        assert_eq!(Rules::from_stored(text).map(|rules| rules.to_string()).as_deref(), Ok(text));
    }

    #[test]
    fn damaged_stored_rules_are_an_error_of_their_own() {
        for text in ["", "chess", "10x10 5 allowed", "10x10 5 allowed sh", "0x5 1 allowed ship", "5x5 6 allowed ship"] {
            let error = Rules::from_stored(text).unwrap_err();
            assert_eq!(error.to_string(), "the stored rules can't be read");
            assert!(std::error::Error::source(&error).is_some(), "{text:?}");
        }
    }
}
