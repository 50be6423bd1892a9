//! The shots that captains take against the chance of a false answer, as a table and as a chart, beside the bound that the channel sets.
//!
//! `cargo run --release -p broadside-lab --features draw --example noise_chart -- GAMES docs/noise.svg CAPTAIN…`
//!
//! An answer that is false with chance `p` tells `1 - H(p)` bits at the most, and telling one of `n` layouts from all others takes `log2 n` bits. So
//! before `log2 n / (1 - H(p))` shots nobody can know where the ships are.

use broadside_lab::draw::{Axis, Chart, Series};
use broadside_lab::{Campaign, CampaignConfig, Layouts};
use broadside_odds::{Budget, Engine};
use broadside_rules::{Call, Noise, Preset, Rules, ShotLog};

const NOISES: [&str; 6] = ["0", "0.01", "0.02", "0.05", "0.1", "0.2"];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut args = std::env::args().skip(1);
    let games: u64 = args.next().ok_or("give the number of games")?.parse()?;
    let path = args.next().ok_or("give the file of the chart")?;
    let captains: Vec<String> = args.collect();
    let rules = Preset::Classic.rules().with_call(Call::Silent);
    let bits = (Engine::Transfer.count(&ShotLog::new(&rules), Budget::default())?.layouts() as f64).log2();
    let noises: Vec<Noise> = NOISES.iter().map(|text| text.parse()).collect::<Result<_, _>>()?;
    println!("| captain | {} |\n| --- |{}", NOISES.join(" | "), " ---: |".repeat(NOISES.len()));
    let title = "Shots to sink the classic fleet, hit or miss called alone";
    let mut chart =
        Chart::new(title, Axis::new("chance of a false answer").from(0.0).to(0.2), Axis::new("mean shots").from(0.0).to(130.0))
            .with_caption(format!("{games} games for each mark"));
    for name in captains {
        let means = noises.iter().map(|&noise| mean(&rules, noise, &name, games)).collect::<Result<Vec<_>, _>>()?;
        let cells: Vec<String> = means.iter().map(|(mean, error)| format!("{mean:.2} ± {error:.2}")).collect();
        println!("| `{name}` | {} |", cells.join(" | "));
        chart =
            chart.with(Series::line(name, noises.iter().map(|noise| noise.chance()).zip(means.iter().map(|(mean, _)| *mean))));
    }
    let bound = |parts: u16| Noise::from_ten_thousandths(parts).map(|noise| (noise.chance(), bits / noise.capacity()));
    let bounds: Vec<String> = noises.iter().map(|noise| format!("{:.2}", bits / noise.capacity())).collect();
    println!("| {bits:.2} bits over the capacity | {} |", bounds.join(" | "));
    chart = chart.with(Series::line("before this nobody can know the layout", (0..=2000).step_by(100).filter_map(bound)));
    Ok(std::fs::write(path, chart.svg())?)
}

/// The mean number of shots of a captain, and its standard error.
fn mean(rules: &Rules, noise: Noise, name: &str, games: u64) -> Result<(f64, f64), Box<dyn std::error::Error>> {
    let config = CampaignConfig { rules: rules.clone().with_noise(noise), games, seed: 1 };
    let tally = Campaign::new(config, [name], Layouts::Uniform)?.run(|_| {})?;
    Ok((tally.shots()[0].mean(), tally.shots()[0].std_err()))
}
