//! What `learn` finds out of a known hider: for 1,000, 100 and 10 layouts, the bits that the learned weights are worth on layouts of that
//! hider, and the shots of captains that play by them, beside those of captains that know nothing. All is done many times with other
//! layouts, so the errors are those of learning and playing together.
//!
//! ```sh
//! cargo run --release -p broadside-lab --example recovery -- classic 20000 1 people uniform
//! ```

use broadside_captains::Registry;
use broadside_lab::{CampaignConfig, Effort, Hider, HiderMatrix, generator};
use broadside_odds::{Budget, CellUses, ChosenHabits, Dealer, HabitKind, Learner, PlacementWeights, Transfer, choose_habits};
use broadside_rules::{Layout, Rules, ShotLog};

/// Layouts to learn from.
const SIZES: [usize; 3] = [1000, 100, 10];

/// How often each number of layouts is learned from. The games are played in as many parts, each with other models.
const REPEATS: u64 = 20;

/// Parts of the cross-validation, as `learn` has them.
const PARTS: usize = 5;

/// What the captains know: the hider itself, what was learned from so many layouts, or nothing.
const KNOWN: [&str; 5] = ["@truth", "@1000", "@100", "@10", ""];

type Error = Box<dyn std::error::Error>;

fn main() -> Result<(), Error> {
    let mut args = std::env::args().skip(1);
    let rules: Rules = args.next().ok_or("which rules?")?.parse()?;
    let games: u64 = args.next().ok_or("how many games?")?.parse()?;
    let seed: u64 = args.next().ok_or("which seed?")?.parse()?;
    for name in args {
        let truth = match &*name {
            "people" => PlacementWeights::people(&rules),
            "uniform" => PlacementWeights::uniform(),
            "edges" => PlacementWeights::edges(&rules),
            other => return Err(format!("no hider ‘{other}’ here: people, uniform or edges").into()),
        };
        let uses = true_uses(&rules, &truth)?;
        let best = Learner::new(&rules, Budget::default()).with_prior(0.0).learn(&uses)?.bits(&uses);
        println!("{name}: the model that fits it best is worth {best:.4} bits a layout");
        let repeats = (0..REPEATS).map(|repeat| learn_all(&rules, &truth, generator(seed, repeat)));
        let repeats: Vec<Vec<ChosenHabits>> = repeats.collect::<Result<_, _>>()?;
        print_bits(&repeats, &uses);
        let config = CampaignConfig { rules: rules.clone(), games: games / REPEATS, seed: seed + 1 };
        for captain in ["density", "admiral"] {
            print_shots(captain, &play(captain, &name, &truth, &repeats, &config)?);
        }
    }
    Ok(())
}

/// How often a hider covers each cell, exactly.
fn true_uses(rules: &Rules, truth: &PlacementWeights) -> Result<CellUses, Error> {
    let counts = Transfer::new(Budget::default()).weigh(&ShotLog::new(rules), truth)?;
    Ok(CellUses { layouts: 1.0, cells: rules.grid().cells().map(|cell| counts.chance(cell)).collect() })
}

/// The habits that are learned from each number of layouts.
fn learn_all(rules: &Rules, truth: &PlacementWeights, mut rng: broadside_captains::GameRng) -> Result<Vec<ChosenHabits>, Error> {
    let mut dealer = Dealer::new(rules).with_weights(truth);
    let learn = |count: usize| {
        let layouts: Vec<Layout> = (0..count).map(|_| dealer.weighted(&mut rng)).collect::<Result<_, _>>()?;
        Ok(choose_habits(rules, Budget::default(), &CellUses::parts(rules, &layouts, PARTS), &HabitKind::LEARNED)?)
    };
    SIZES.into_iter().map(learn).collect()
}

fn print_bits(repeats: &[Vec<ChosenHabits>], uses: &CellUses) {
    for (i, count) in SIZES.iter().enumerate() {
        let bits: Vec<f64> = repeats.iter().map(|learned| learned[i].model.bits(uses)).collect();
        let (least, most) = bits.iter().fold((f64::MAX, f64::MIN), |(least, most), &bits| (least.min(bits), most.max(bits)));
        let kinds = [HabitKind::None, HabitKind::Symmetric, HabitKind::EachCell];
        let [none, symmetric, cells] = kinds.map(|kind| repeats.iter().filter(|learned| learned[i].kind == kind).count());
        println!(
            "  learned from {count:>4}: {} bits a layout on all layouts of that hider (from {least:.4} to {most:.4}); {none} times no habit, {symmetric} symmetric, {cells} by cells",
            mean_and_error(&bits)
        );
    }
}

/// The mean shots of a captain with each knowledge, in each part of the games.
fn play(
    captain: &str,
    hider: &str,
    truth: &PlacementWeights,
    repeats: &[Vec<ChosenHabits>],
    config: &CampaignConfig,
) -> Result<Vec<Vec<f64>>, Error> {
    let captains = KNOWN.map(|known| format!("{captain}{known}"));
    let part = |(repeat, learned): (u64, &Vec<ChosenHabits>)| {
        let registry = Registry::new().with_model("truth", truth.clone());
        let registry = SIZES
            .iter()
            .zip(learned)
            .fold(registry, |registry, (count, habits)| registry.with_model(count.to_string(), habits.model.weights()));
        let hider = Hider::new(hider, &config.rules, &registry, Effort::default())?;
        let config = CampaignConfig { seed: config.seed + repeat, ..config.clone() };
        let matrix = HiderMatrix::play(&registry, &config, &captains, &[hider], |_| {})?;
        Ok(matrix.hiders[0].captains.iter().map(|cell| cell.mean).collect())
    };
    (0..).zip(repeats).map(part).collect()
}

/// The shots of a captain with each knowledge, and how many more they are than with none.
fn print_shots(captain: &str, parts: &[Vec<f64>]) {
    for (i, known) in KNOWN.iter().enumerate() {
        let shots: Vec<f64> = parts.iter().map(|part| part[i]).collect();
        let more: Vec<f64> = parts.iter().map(|part| part[i] - part[KNOWN.len() - 1]).collect();
        let name = format!("{captain}{known}");
        println!("  {name:<14} {} shots, {} more than {captain}", mean_and_error(&shots), mean_and_error(&more));
    }
}

/// The mean and its standard error.
fn mean_and_error(values: &[f64]) -> String {
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count;
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    format!("{mean:.4} ± {:.4}", (squares / (count - 1.0) / count).sqrt())
}
