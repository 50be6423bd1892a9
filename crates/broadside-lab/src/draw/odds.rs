//! The odds of a position as a picture.

use broadside_odds::Odds;
use broadside_rules::ShotLog;

use super::Board;
use crate::odds_table::best;

impl Board {
    /// The chances of all cells of a position, with the best shots framed.
    ///
    /// ```
    /// use broadside_lab::draw::Board;
    /// use broadside_odds::{Budget, Engine, Odds};
    /// use broadside_rules::ShotLog;
    /// let log = ShotLog::new(&"2x2 2 allowed ship".parse()?);
    /// let odds = Odds::Exact(Engine::Transfer.count(&log, Budget::default())?);
    /// assert!(Board::from_odds(&log, &odds).svg().contains("4 layouts fit"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn from_odds(log: &ShotLog, odds: &Odds) -> Self {
        let caption = match odds {
            Odds::Exact(counts) => format!("{} layouts fit", counts.layouts()),
            Odds::Weighted(_) => format!("an answer is false with chance {}", log.rules().noise()),
            Odds::Estimate(rough) => format!("estimate: about {:.3e} layouts fit", rough.layouts().mean),
        };
        let title = if log.is_empty() { log.rules().to_string() } else { format!("After {} shots", log.len()) };
        Self::from_log(log)
            .with_title(title)
            .with_caption(caption)
            .with_chances(|cell| odds.chance(cell))
            .with_best(best(log, odds))
    }
}
