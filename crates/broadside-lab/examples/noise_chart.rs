//! The shots that captains take against the chance of a false answer, as a table and as a chart, beside the bound that the channel sets.
//!
//! `cargo run --release -p broadside-lab --features draw --example noise_chart -- GAMES docs/noise.svg CAPTAIN…`
//!
//! An answer that is false with chance `p` tells `1 - H(p)` bits at the most, and telling one of `n` layouts from all others takes `log2 n` bits. So
//! before `log2 n / (1 - H(p))` shots nobody can know where the ships are. A fleet can be sunk before that, by luck or by firing at every cell; what every play
//! takes at least is the other line (`broadside_solve::shots_with_false_answers`).

use broadside_lab::draw::{Axis, Chart, Series};
use broadside_lab::{Campaign, CampaignConfig, Layouts};
use broadside_odds::{Budget, Engine, OutOfReach};
use broadside_rules::{Call, Noise, Preset, Rules, ShotLog};
use broadside_solve::shots_with_false_answers;

const NOISES: [&str; 9] = ["0", "0.01", "0.02", "0.05", "0.1", "0.15", "0.2", "0.3", "0.4"];

/// No captain takes more on average, and few need more.
const MOST_SHOTS: f64 = 100.0;

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
    let mut chart = Chart::new(
        title,
        Axis::new("chance of a false answer").from(0.0).to(0.4),
        Axis::new("mean shots").from(0.0).to(MOST_SHOTS),
    )
    .with_caption(format!("{games} games for each mark"));
    for name in captains {
        let means = noises.iter().map(|&noise| mean(&rules, noise, &name, games)).collect::<Result<Vec<_>, _>>()?;
        let cells: Vec<String> = means.iter().map(|(mean, error)| format!("{mean:.2} ± {error:.2}")).collect();
        println!("| `{name}` | {} |", cells.join(" | "));
        chart =
            chart.with(Series::line(name, noises.iter().map(|noise| noise.chance()).zip(means.iter().map(|(mean, _)| *mean))));
    }
    let known: Vec<String> = noises.iter().map(|noise| format!("{:.2}", bits / noise.capacity())).collect();
    println!("| {bits:.2} bits over the capacity | {} |", known.join(" | "));
    let least = noises.iter().map(|&noise| least(&rules, noise)).collect::<Result<Vec<_>, _>>()?;
    println!("| no play takes fewer | {} |", least.iter().map(|shots| format!("{shots:.2}")).collect::<Vec<_>>().join(" | "));
    let fine = || (0..=40).map(|hundredths| hundredths * 100).filter_map(Noise::from_ten_thousandths);
    let known = fine().map(|noise| (noise.chance(), bits / noise.capacity())).filter(|(_, shots)| *shots <= MOST_SHOTS);
    chart = chart.with(Series::line("before this nobody can know the layout", known));
    let least = fine().map(|noise| Ok((noise.chance(), self::least(&rules, noise)?))).collect::<Result<Vec<_>, OutOfReach>>()?;
    chart = chart.with(Series::line("no play takes fewer", least));
    Ok(std::fs::write(path, chart.svg())?)
}

/// A lower bound on the shots of every play.
fn least(rules: &Rules, noise: Noise) -> Result<f64, OutOfReach> {
    shots_with_false_answers(&rules.clone().with_noise(noise), Budget::default())
}

/// The mean number of shots of a captain, and its standard error.
fn mean(rules: &Rules, noise: Noise, name: &str, games: u64) -> Result<(f64, f64), Box<dyn std::error::Error>> {
    let config = CampaignConfig { rules: rules.clone().with_noise(noise), games, seed: 1 };
    let tally = Campaign::new(config, [name], Layouts::Uniform)?.run(|_| {})?;
    Ok((tally.shots()[0].mean(), tally.shots()[0].std_err()))
}
