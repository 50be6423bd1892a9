//! What `learn` finds out of a known hider: for 1,000, 100 and 10 layouts, the bits that the learned weights are worth on layouts of that
//! hider, and the shots of captains that play by them. A group of cells that is repeated many times shows the spread.
//!
//! ```sh
//! cargo run --release -p broadside-lab --example recovery -- classic 20000 1 people uniform
//! ```

use broadside_captains::Registry;
use broadside_lab::{CampaignConfig, Effort, Hider, HiderMatrix, generator};
use broadside_odds::{Budget, CellUses, Dealer, Learner, PlacementWeights, Transfer};
use broadside_rules::{Layout, Rules, ShotLog};

/// Layouts to learn from, and how often that is repeated with others for the bits.
const SIZES: [(usize, u64); 3] = [(1000, 2), (100, 5), (10, 5)];

fn main() -> Result<(), Box<dyn std::error::Error>> {
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
        let mut registry = Registry::new().with_model("truth", truth.clone());
        for (count, repeats) in SIZES {
            let (bits, weights) = learned(&rules, &truth, &uses, count, repeats, seed)?;
            println!("  learned from {count}: {} bits a layout on all layouts of that hider", spread(&bits));
            registry = registry.with_model(format!("{count}"), weights);
        }
        let hider = Hider::new(&name, &rules, &registry, Effort::default())?;
        let captains =
            ["density@truth", "density@1000", "density@100", "density@10", "density", "admiral@truth", "admiral@1000", "admiral"];
        let config = CampaignConfig { rules: rules.clone(), games, seed: seed + 1 };
        let matrix = HiderMatrix::play(&registry, &config, &captains, &[hider], |_| {})?;
        for cell in &matrix.hiders[0].captains {
            let (behind, error) = (cell.behind, cell.behind_std_err);
            println!(
                "  {:<14} {:.3} ± {:.3} shots, {behind:.3} ± {error:.3} behind the best",
                cell.captain, cell.mean, cell.std_err
            );
        }
    }
    Ok(())
}

/// How often a hider covers each cell, exactly.
fn true_uses(rules: &Rules, truth: &PlacementWeights) -> Result<CellUses, Box<dyn std::error::Error>> {
    let counts = Transfer::new(Budget::default()).weigh(&ShotLog::new(rules), truth)?;
    Ok(CellUses { layouts: 1.0, cells: rules.grid().cells().map(|cell| counts.chance(cell)).collect() })
}

/// The bits of some models that were learned from so many layouts each, and the weights of the first.
fn learned(
    rules: &Rules,
    truth: &PlacementWeights,
    uses: &CellUses,
    count: usize,
    repeats: u64,
    seed: u64,
) -> Result<(Vec<f64>, PlacementWeights), Box<dyn std::error::Error>> {
    let (mut bits, mut first) = (Vec::new(), None);
    for repeat in 0..repeats {
        let (mut dealer, mut rng) = (Dealer::new(rules).with_weights(truth), generator(seed, repeat));
        let layouts: Vec<Layout> = (0..count).map(|_| dealer.weighted(&mut rng)).collect::<Result<_, _>>()?;
        let model = Learner::new(rules, Budget::default()).learn(&CellUses::of_layouts(rules, &layouts))?;
        bits.push(model.bits(uses));
        first.get_or_insert_with(|| model.weights());
    }
    Ok((bits, first.expect("it was learned once")))
}

fn spread(bits: &[f64]) -> String {
    let mean = bits.iter().sum::<f64>() / bits.len() as f64;
    let (least, most) = bits.iter().fold((f64::MAX, f64::MIN), |(least, most), &bits| (least.min(bits), most.max(bits)));
    format!("{mean:.4} (from {least:.4} to {most:.4})")
}
