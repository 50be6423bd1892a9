//! Factors for cells and for ships that touch such that the layouts drawn by them are hard to find even for captains that know the factors:
//! the hider `equilibrium` of large boards.
//!
//! A round deals layouts by the factors so far. Captains that know the factors, and others, play them. What each more cell of a class costs
//! is the regression of the shots on how many cells of each class a layout covers, and each factor is raised or lowered by it. That is
//! the natural gradient of the expected shots while captains play as they do: as far as they reply well, what their reply to slightly
//! other factors gains doesn't count (the envelope theorem). The factors of the second half of the rounds are averaged.
//!
//! ```sh
//! cargo run --release -p broadside-lab --example hard_to_find -- search classic 200 2000 1
//! cargo run --release -p broadside-lab --example hard_to_find -- measure classic 20000 1001
//! ```

use std::collections::HashMap;
use std::ops::Range;

use broadside_captains::Registry;
use broadside_lab::{CampaignConfig, Effort, Hider, HiderMatrix, MatrixCell, approximate_equilibrium, generator, judge};
use broadside_odds::{Dealer, EdgeFactors, PlacementWeights, Touching};
use broadside_rules::{Layout, Placement, Rules};
use rayon::prelude::*;

/// Who replies to the factors while they are searched for. What is not to be gained from any of them is not gained.
const REPLIES: [&str; 6] = ["density", "density@weights", "density@people", "admiral", "admiral@weights", "admiral@people"];

/// Whose shots are measured in the end.
const MEASURED: [&str; 8] =
    ["density", "density~", "density@weights", "density@people", "admiral", "admiral~", "admiral@weights", "admiral@people"];

/// By how much a factor's logarithm is changed in the first round for each shot that the regression promises; later by less.
const FIRST_STEP: f64 = 0.15;

/// After so many rounds the steps are half as large.
const HALF_STEP: f64 = 40.0;

/// Replies count by how few shots they need: one that needs so many more than the best counts for less than half of it.
const TOLERANCE: f64 = 0.2;

/// What the regression takes each cost to be worth by itself, in layouts: keeps those of rare cells from being noise.
const RIDGE: f64 = 20.0;

/// The factors for ships that touch at most: layouts are dealt by rejection, and ten pairs could touch.
const MOST_TOUCHING: f64 = 1.6;

/// Rounds after which the factors are told.
const TELL_EVERY: u64 = 20;

/// Games of one captain that a thread plays before it makes another.
const BATCH: usize = 250;

type Error = Box<dyn std::error::Error>;

fn main() -> Result<(), Error> {
    let mut args = std::env::args().skip(1);
    let work = args.next().ok_or("search or measure?")?;
    let rules: Rules = args.next().ok_or("which rules?")?.parse()?;
    let mut numbers = args.map(|text| text.parse::<u64>());
    let mut number = |what: &str| -> Result<u64, Error> { Ok(numbers.next().ok_or_else(|| what.to_owned())??) };
    match &*work {
        "search" => {
            let (rounds, layouts) = (number("how many rounds?")?, number("how many layouts a round?")?);
            search(&Features::new(&rules), rounds, layouts, number("which seed?")?)
        }
        "measure" => {
            let games = number("how many games?")?;
            measure(&rules, games, number("which seed?")?)
        }
        other => Err(format!("‘{other}’ is neither search nor measure").into()),
    }
}

/// Plays on layouts of the factors that are built in, and on uniform ones.
fn measure(rules: &Rules, games: u64, seed: u64) -> Result<(), Error> {
    let registry = Registry::new().with_model("weights", approximate_equilibrium(rules));
    let config = CampaignConfig { rules: rules.clone(), games, seed };
    let hiders = ["uniform", "equilibrium"].map(|name| Hider::new(name, rules, &registry, Effort::default()));
    let matrix = HiderMatrix::play(&registry, &config, &MEASURED, &hiders.into_iter().collect::<Result<Vec<_>, _>>()?, |_| {})?;
    for row in &matrix.hiders {
        println!("{}", row.layouts);
        row.captains.iter().for_each(print_shots);
    }
    Ok(())
}

fn print_shots(cell: &MatrixCell) {
    let MatrixCell { captain, mean, std_err, behind, behind_std_err, .. } = cell;
    println!("  {captain:<16} {mean:.3} ± {std_err:.3}, {behind:.3} ± {behind_std_err:.3} more than the best");
}

/// What is counted of a layout, such that it is as likely as the product of a factor for each.
struct Features {
    rules: Rules,
    /// The classes of the cells of each placement.
    classes: HashMap<Placement, Vec<usize>>,
}

/// The features of cells. After them come pairs of ships side by side, and those that touch at corners.
const CELLS: usize = EdgeFactors::CLASSES;

impl Features {
    fn new(rules: &Rules) -> Self {
        let class = |cell| EdgeFactors::class(rules.grid(), cell);
        let classes = placements(rules).map(|ship| (ship, ship.cells().map(class).collect())).collect();
        Self { rules: rules.clone(), classes }
    }

    fn weights(&self, logs: &[f64]) -> PlacementWeights {
        let mut weights = PlacementWeights::uniform();
        for (&ship, classes) in &self.classes {
            weights.set(ship, classes.iter().map(|&class| logs[class]).sum::<f64>().exp());
        }
        let [side, corner] = [0, 1].map(|i| logs[CELLS + i].exp());
        weights.with_touching(Touching { side, corner })
    }

    fn count(&self, layout: &Layout) -> Vec<f64> {
        let mut counts = vec![0.0; CELLS + 2];
        layout.ships().iter().flat_map(|ship| &self.classes[ship]).for_each(|&class| counts[class] += 1.0);
        let (sides, corners) = Touching::pairs(layout.ships());
        counts[CELLS] = f64::from(sides);
        counts[CELLS + 1] = f64::from(corners);
        counts
    }
}

/// Scales the factors of cells such that those of these layouts have 1 on average, which changes no chance: all layouts have as many cells.
/// Factors for ships that touch are kept from what rejection can't deal.
fn normalise(logs: &mut [f64], counts: &[Vec<f64>]) {
    let (cells, touching) = logs.split_at_mut(CELLS);
    let total: f64 = counts.iter().map(|counts| counts[..CELLS].iter().sum::<f64>()).sum();
    let sum: f64 = counts.iter().map(|counts| counts.iter().zip(&*cells).map(|(count, log)| count * log).sum::<f64>()).sum();
    for log in cells.iter_mut() {
        *log -= sum / total;
    }
    for log in touching.iter_mut() {
        *log = log.min(MOST_TOUCHING.ln());
    }
}

fn print_factors(logs: &[f64]) {
    let factors: Vec<String> = logs.iter().map(|log| format!("{:.3}", log.exp())).collect();
    let (cells, touching) = factors.split_at(CELLS);
    println!("cells {}; side {}, corner {}", cells.join(" "), touching[0], touching[1]);
}

fn placements(rules: &Rules) -> impl Iterator<Item = Placement> {
    rules.fleet().classes().flat_map(|(length, _)| rules.placements(length).collect::<Vec<_>>())
}

fn search(features: &Features, rounds: u64, layouts: u64, seed: u64) -> Result<(), Error> {
    let rules = &features.rules;
    let (mut logs, mut average) = (vec![0.0; CELLS + 2], vec![0.0; CELLS + 2]);
    for round in 0..rounds {
        let weights = features.weights(&logs);
        let dealt = deal(rules, &weights, seed, round * layouts..(round + 1) * layouts)?;
        let shots = REPLIES.map(|name| play(rules, &weights, name, &dealt));
        print!("{round:>4}");
        REPLIES.iter().zip(&shots).for_each(|(name, shots)| print!(" {name} {:.2}", mean(shots)));
        println!();
        let counts: Vec<Vec<f64>> = dealt.iter().map(|layout| features.count(layout)).collect();
        let step = FIRST_STEP / (1.0 + round as f64 / HALF_STEP);
        logs.iter_mut().zip(regress(&counts, &reply(&shots))).for_each(|(log, cost)| *log += step * cost);
        normalise(&mut logs, &counts);
        if let Some(before) = round.checked_sub(rounds / 2) {
            average.iter_mut().zip(&logs).for_each(|(sum, log)| *sum += (log - *sum) / (before as f64 + 1.0));
        }
        if (round + 1).is_multiple_of(TELL_EVERY) || round + 1 == rounds {
            print_factors(if round >= rounds / 2 { &average } else { &logs });
        }
    }
    Ok(())
}

fn deal(rules: &Rules, weights: &PlacementWeights, seed: u64, numbers: Range<u64>) -> Result<Vec<Layout>, Error> {
    let mut dealer = Dealer::new(rules).with_weights(weights);
    Ok(numbers.map(|number| dealer.weighted(&mut generator(seed, number))).collect::<Result<_, _>>()?)
}

/// The shots of a captain for each layout.
fn play(rules: &Rules, weights: &PlacementWeights, name: &str, layouts: &[Layout]) -> Vec<f64> {
    let registry = Registry::new().with_model("weights", weights.clone());
    let batch = |layouts: &[Layout]| {
        let mut captain = registry.captain(name, rules).expect("a captain of the list");
        layouts.iter().map(|layout| judge(captain.as_mut(), rules, layout, 1, 1).mean).collect::<Vec<f64>>()
    };
    layouts.par_chunks(BATCH).flat_map_iter(batch).collect()
}

/// The shots of a shooter who mixes the replies, the best ones most.
fn reply(shots: &[Vec<f64>]) -> Vec<f64> {
    let means: Vec<f64> = shots.iter().map(|shots| mean(shots)).collect();
    let best = means.iter().copied().fold(f64::MAX, f64::min);
    let shares: Vec<f64> = means.iter().map(|mean| ((best - mean) / TOLERANCE).exp()).collect();
    let all: f64 = shares.iter().sum();
    let mixed = |layout: usize| shots.iter().zip(&shares).map(|(shots, share)| shots[layout] * share / all).sum();
    (0..shots[0].len()).map(mixed).collect()
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// What one more of each feature costs, by least squares with a ridge.
fn regress(counts: &[Vec<f64>], shots: &[f64]) -> Vec<f64> {
    let features = counts[0].len();
    let middle: Vec<f64> =
        (0..features).map(|i| counts.iter().map(|counts| counts[i]).sum::<f64>() / counts.len() as f64).collect();
    let mean = mean(shots);
    let (mut squares, mut products) = (vec![vec![0.0; features]; features], vec![0.0; features]);
    for (counts, shots) in counts.iter().zip(shots) {
        let off: Vec<f64> = counts.iter().zip(&middle).map(|(count, middle)| count - middle).collect();
        for i in 0..features {
            products[i] += off[i] * (shots - mean);
            squares[i].iter_mut().zip(&off).for_each(|(sum, other)| *sum += off[i] * other);
        }
    }
    (0..features).for_each(|i| squares[i][i] += RIDGE);
    solve(squares, products)
}

/// Solves linear equations whose matrix is positive definite, by elimination.
fn solve(mut matrix: Vec<Vec<f64>>, mut right: Vec<f64>) -> Vec<f64> {
    for pivot in 0..right.len() {
        let line = matrix[pivot].clone();
        for row in pivot + 1..right.len() {
            let times = matrix[row][pivot] / line[pivot];
            matrix[row].iter_mut().zip(&line).for_each(|(value, above)| *value -= times * above);
            right[row] -= times * right[pivot];
        }
    }
    for row in (0..right.len()).rev() {
        let known: f64 = (row + 1..right.len()).map(|col| matrix[row][col] * right[col]).sum();
        right[row] = (right[row] - known) / matrix[row][row];
    }
    right
}
