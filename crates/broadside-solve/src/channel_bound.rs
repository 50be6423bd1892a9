//! A lower bound on the expected shots where answers may be false.
//!
//! # True answers
//! Whoever is told the truth can make answers false by lot, and fire as if they were. So false answers never save shots, and every bound for
//! true ones holds: [`Bound`].
//!
//! # The channel
//! Let only hit or miss be called, and the end of the game. Fix a play. Whether the game is over after t shots follows from the layout
//! and from which of the t answers are false: each is by itself, with chance p. (Of a game that ended before, imagine more shots.)
//!
//! If half of the answers were false, each answer would be a toss of a coin, whatever the layout. As long as the game goes on the shooter knows nothing but
//! these tosses, so the cells fired at wouldn't depend on the layout. Of N layouts at most L(t) lie on t cells: the game would be over with chance L(t)/N at the
//! most.
//!
//! An event that has chance s when half of the answers are false has the greatest chance with p when it consists of the cases with the fewest
//! false answers (the lemma of Neyman and Pearson: the ratio of both chances of a case falls with the number of false answers). That chance bounds the
//! chance that the game is over after t shots, and the sum over all t of the rest bounds the expected shots. It is what the capacity of
//! the channel allows to tell layouts apart, for a game that ends by luck too.
//!
//! L(t) isn't counted but bounded: of t cells c in a row of w have at most c (w − l + 1) / w places for a ship of length l along the row, so
//! t cells have at most t (w − l + 1) / w of them, and as many down the columns with their height; the ships are chosen from
//! these places.

use broadside_odds::{OutOfReach, WorkLimits};
use broadside_rules::{Call, Rules};
use num_traits::ToPrimitive;

use crate::Bound;

/// A lower bound on the expected number of shots of every play where answers may be false; the better of the two above.
///
/// ```
/// use broadside_odds::Budget;
/// use broadside_solve::shots_with_false_answers;
///
/// let bound = |noise: &str| {
///     let rules = format!("10x10 5,4,3,3,2 allowed silent noise={noise}").parse().expect("rules");
///     shots_with_false_answers(&rules, Budget::default())
/// };
/// // Few false answers prove nothing beyond the bound for true ones; many do.
/// assert_eq!(bound("0.1")?, bound("0.01")?);
/// assert!(bound("0.45")? > bound("0.1")? + 10.0);
/// # Ok::<(), broadside_odds::OutOfReach>(())
/// ```
///
/// # Errors
/// When the layouts can't be counted within the limits.
pub fn shots_with_false_answers(rules: &Rules, limits: impl Into<WorkLimits>) -> Result<f64, OutOfReach> {
    let bound = Bound::for_rules(rules, limits)?;
    let proved = bound.best_proved();
    let by_true_answers = proved.numer().to_f64().zip(proved.denom().to_f64()).map_or(0.0, |(shots, games)| shots / games);
    Ok(if rules.call() == Call::Silent { by_true_answers.max(by_channel(rules, bound.layouts as f64)) } else { by_true_answers })
}

/// The sum over all numbers of shots of the least chance that the game goes on after them.
fn by_channel(rules: &Rules, layouts: f64) -> f64 {
    let wrong = rules.noise().chance();
    let goes_on = |shots: usize| 1.0 - most_likely(shots, wrong, (layouts_on(rules, shots) / layouts).min(1.0));
    (0..rules.grid().len()).map(goes_on).sum()
}

/// At least as many layouts as lie on so many cells.
fn layouts_on(rules: &Rules, cells: usize) -> f64 {
    let (rows, cols) = (rules.grid().rows(), rules.grid().cols());
    let along = |side: usize, length: usize| (cells * (side + 1).saturating_sub(length) / side) as f64;
    let choices = |(length, count): (broadside_rules::Length, usize)| {
        let length = length.get();
        let places = if length == 1 { cells as f64 } else { along(cols, length) + along(rows, length) };
        (0..count).map(|i| (places - i as f64).max(0.0) / (i + 1) as f64).product::<f64>()
    };
    let fits = cells >= rules.fleet().cells();
    if fits { rules.fleet().classes().map(choices).product() } else { 0.0 }
}

/// The greatest chance of an event of so many answers, each false with chance `wrong`, that has this chance if each is false with chance one half.
fn most_likely(answers: usize, wrong: f64, chance: f64) -> f64 {
    let (mut left, mut found) = (chance, 0.0);
    // The chances that none is false.
    let (mut even, mut skewed) = (0.5_f64.powf(answers as f64), (1.0 - wrong).powf(answers as f64));
    for number in 0..=answers {
        if even >= left {
            return (found + skewed * left / even).min(1.0);
        }
        (left, found) = (left - even, found + skewed);
        let ways = (answers - number) as f64 / (number + 1) as f64;
        (even, skewed) = (even * ways, skewed * ways * wrong / (1.0 - wrong));
    }
    1.0
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use broadside_odds::Budget;
    use broadside_odds::oracle::each_layout;

    use super::*;

    /// The best play of a small board, by going through all that the answers may be.
    struct Best {
        wrong: f64,
        /// The cells of each layout, a bit each.
        layouts: Vec<u32>,
        cells: usize,
        known: HashMap<(u32, Vec<i8>, usize), f64>,
    }

    impl Best {
        fn new(rules: &Rules) -> Self {
            let (grid, mut layouts) = (rules.grid(), Vec::new());
            let cells = |layout: &broadside_rules::Layout| {
                layout.ships().iter().flat_map(|ship| ship.cells()).fold(0, |cells, cell| cells | 1 << grid.index(cell))
            };
            each_layout(rules, Budget::default(), &mut |layout| layouts.push(cells(layout))).unwrap();
            Self { wrong: rules.noise().chance(), layouts, cells: grid.len(), known: HashMap::new() }
        }

        /// The least expected shots, of which those after so many are not counted.
        fn shots(&mut self, most: usize) -> f64 {
            let (cells, layouts) = (self.cells, self.layouts.len());
            self.rest(0, &vec![0; cells], most) / layouts as f64
        }

        /// The shots still to come, summed over the layouts with their weights: for each hit called at a ship's cell `(1 - p) / p`, for each
        /// miss called there the inverse.
        fn rest(&mut self, fired: u32, net: &[i8], most: usize) -> f64 {
            if most == 0 {
                return 0.0;
            }
            let key = (fired, net.to_vec(), most);
            if let Some(&known) = self.known.get(&key) {
                return known;
            }
            let wrong = self.wrong;
            let odds = (1.0 - wrong) / wrong;
            let weight = |cells: u32| {
                (0..net.len()).filter(|i| cells >> i & 1 == 1).map(|i| odds.powi(i32::from(net[i]))).product::<f64>()
            };
            let open: f64 = self.layouts.iter().filter(|&&cells| cells & !fired != 0).map(|&cells| weight(cells)).sum();
            let mut least = f64::INFINITY;
            for cell in (0..self.cells).filter(|_| open > 0.0) {
                let mut after = |step: i8, share: f64| {
                    let mut net = net.to_vec();
                    net[cell] += step;
                    share * self.rest(fired | 1 << cell, &net, most - 1)
                };
                // A hit is called with chance p on water, and with odds times that at a ship; a miss with 1 - p.
                let rest = after(1, wrong) + after(-1, 1.0 - wrong);
                least = least.min(open + rest);
            }
            let least = if open > 0.0 { least } else { 0.0 };
            self.known.insert(key, least);
            least
        }
    }

    #[test]
    fn no_play_of_a_small_board_takes_fewer_shots_than_the_bound() {
        for (board, most) in [("1x4 2", 9), ("1x5 2", 8), ("2x3 2", 7), ("1x5 1,1", 8), ("1x6 2,2", 7)] {
            for noise in ["0.05", "0.2", "0.35", "0.45", "0.4999"] {
                let rules: Rules = format!("{board} allowed silent noise={noise}").parse().unwrap();
                let (bound, best) = (shots_with_false_answers(&rules, Budget::default()).unwrap(), Best::new(&rules).shots(most));
                assert!(bound <= best + 1e-9, "{board} at {noise}: {bound} and {best}");
                assert!(bound > rules.fleet().cells() as f64 - 1.0, "{board} at {noise}: {bound}");
            }
        }
    }

    #[test]
    fn best_play_of_a_ship_of_one_on_two_cells_is_worked_out_by_hand() {
        // Either cell first, and the other one in half of the games: what is called makes no difference.
        let rules: Rules = "1x2 1 allowed silent noise=0.2".parse().unwrap();
        assert!((Best::new(&rules).shots(6) - 1.5).abs() < 1e-12);
        // Of three cells the first shot ends a third of the games. Else two are left, and the end tells more than any answer.
        let rules: Rules = "1x3 1 allowed silent noise=0.2".parse().unwrap();
        assert!((Best::new(&rules).shots(6) - 2.0).abs() < 1e-12);
    }

    #[test]
    fn the_likeliest_events_are_those_with_few_false_answers() {
        // Of two answers: none false, with a quarter at one half and 0.81 at 0.1; then one of the two cases with one.
        assert!((most_likely(2, 0.1, 0.25) - 0.81).abs() < 1e-12);
        assert!((most_likely(2, 0.1, 0.5) - 0.9).abs() < 1e-12);
        assert!((most_likely(2, 0.1, 1.0) - 1.0).abs() < 1e-12);
        assert!((most_likely(7, 0.5, 0.3) - 0.3).abs() < 1e-12);
    }

    #[test]
    fn layouts_on_all_cells_are_at_least_all_layouts() {
        for text in ["classic", "6x6 3,2,2 allowed ship", "4x5 3,1,1 never ship", "1x5 2 allowed ship"] {
            let rules: Rules = text.parse().unwrap();
            let layouts = Bound::for_rules(&rules, Budget::default()).unwrap().layouts;
            assert!(layouts_on(&rules, rules.grid().len()) >= layouts as f64, "{text}");
            assert!(layouts_on(&rules, rules.fleet().cells() - 1) < 1.0);
        }
    }
}
