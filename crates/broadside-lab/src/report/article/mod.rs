//! The article by Nick Berry, which plays four captains a hundred million times each.

mod density;
mod hunt;
mod likeliest;
mod random;
mod walkthrough;

use broadside_rules::{Call, Preset, Rules};

use super::games::Games;
use super::{Chapter, Check, Row, Settings};
use crate::{CampaignError, Histogram, Layouts};

/// As many games of each captain the article played.
const ARTICLE_GAMES: u64 = 100_000_000;

/// The four captains of the article, the worst first.
pub(super) const CAPTAINS: [&str; 4] = ["random", "hunt-target", "hunt-target-parity", "density"];

pub(super) fn chapter(games: &Games<'_>) -> Result<Chapter, CampaignError> {
    let shots = Shots::play(games)?;
    Ok(Chapter {
        number: "001",
        short: "DataGenetics article",
        title: "Battleship: four strategies, 100 million games each",
        citation: "Nick Berry, “Battleship”, DataGenetics, December 2011",
        link: Some("http://www.datagenetics.com/blog/december32011/"),
        about: "Random shots, hunt and target, the same with parity, and probability density; \
                histograms, cumulative curves and a game move by move.",
        sections: vec![
            random::section(&shots),
            hunt::section(&shots),
            density::section(&shots),
            density::fields(),
            likeliest::section(games)?,
            walkthrough::section(games)?,
        ],
    })
}

/// How many games the chapter plays.
pub(super) fn games(settings: &Settings) -> u64 {
    let played = CAPTAINS.iter().filter(|name| settings.results.shots(name).is_none()).count() as u64;
    played * settings.games + 2 * settings.share(4)
}

/// The shots of all games, by captain.
struct Shots {
    classic: [Histogram; 4],
    /// The captain with parity when sinkings are not called, as in the article at that point.
    silent_parity: Histogram,
    /// The article doesn't say how it dealt; one ship after the other is the usual way.
    sequential_density: Histogram,
    commands: [String; 4],
    /// The files that the games were taken from, or that they were played here.
    origins: [String; 4],
    silent_command: String,
    sequential_command: String,
}

impl Shots {
    fn play(games: &Games<'_>) -> Result<Self, CampaignError> {
        let (rules, settings) = (Preset::Classic.rules(), games.settings);
        let classic = |name: &str| match settings.results.shots(name) {
            Some(finished) => Ok(finished.clone()),
            None => games.shots(&rules, name, settings.games, Layouts::Uniform),
        };
        let [random, hunt, parity, density] = CAPTAINS;
        Ok(Self {
            classic: [classic(random)?, classic(hunt)?, classic(parity)?, classic(density)?],
            silent_parity: games.shots(&silent(), parity, settings.share(4), Layouts::Uniform)?,
            sequential_density: games.shots(&rules, density, settings.share(4), Layouts::Sequential)?,
            commands: CAPTAINS.map(|name| settings.command(name)),
            origins: CAPTAINS.map(|name| settings.results.origin(name).unwrap_or("this run").to_owned()),
            silent_command: settings.simulate(parity, settings.share(4), " --call silent"),
            sequential_command: settings.simulate(density, settings.share(4), " --layouts sequential"),
        })
    }

    /// A captain's shots, and the command that gives them.
    fn get(&self, name: &str) -> (&Histogram, &str) {
        let at = index(name);
        (&self.classic[at], &self.commands[at])
    }

    /// The file that a captain's games were taken from.
    fn origin(&self, name: &str) -> &str {
        &self.origins[index(name)]
    }
}

fn index(name: &str) -> usize {
    CAPTAINS.iter().position(|captain| *captain == name).expect("a captain of the article")
}

/// The rules of the article before ships are called sunk.
fn silent() -> Rules {
    Preset::Classic.rules().with_call(Call::Silent)
}

impl Settings {
    /// What plays a captain's games, or where they were taken from.
    fn command(&self, name: &str) -> String {
        let taken = self.results.origin(name).map(|origin| format!("broadside reproduce --results {origin}"));
        taken.unwrap_or_else(|| self.simulate(name, self.games, ""))
    }

    fn simulate(&self, name: &str, games: u64, options: &str) -> String {
        format!("broadside simulate --captain {name} --games {games} --seed {}{options}", self.seed)
    }
}

/// The smallest number that at least this share of games is no larger than.
fn quantile(shots: &Histogram, share: f64) -> f64 {
    let wanted = share * shots.total() as f64;
    let mut so_far = 0;
    let found = shots.counts().find(|&(_, count)| {
        so_far += count;
        count > 0 && so_far as f64 >= wanted
    });
    found.map_or(f64::NAN, |(number, _)| number as f64)
}

/// A median with its 95% interval, from the ranks between which it lies (no assumption about the distribution).
fn median_check(source: f64, shots: &Histogram) -> Check {
    let reach = 1.96 / (2.0 * (shots.total() as f64).sqrt());
    let interval = (quantile(shots, (0.5 - reach).max(0.0)), quantile(shots, (0.5 + reach).min(1.0)));
    Check::Within { source, measured: quantile(shots, 0.5), interval }
}

fn median_row(captain: &str, source: f64, shots: &Histogram, command: &str) -> Row {
    Row::new("results", format!("Median of {captain}"), median_check(source, shots)).by(command)
}

/// The article shows one game; where its length lies among those measured.
fn example_row(captain: &str, length: f64, shots: &Histogram, command: &str) -> Row {
    let check = Check::Within {
        source: length,
        measured: quantile(shots, 0.5),
        interval: (quantile(shots, 0.025), quantile(shots, 0.975)),
    };
    let shorter = shots.counts().filter(|&(number, _)| number as f64 <= length).map(|(_, count)| count).sum::<u64>();
    Row::new("walkthrough", format!("The game that the article shows for {captain} is an ordinary one"), check)
        .says(format!("{length} shots"))
        .note(format!(
            "Measured: the median, and the middle 95% of all games. {:.1}% of games are as short.",
            100.0 * shorter as f64 / shots.total() as f64
        ))
        .by(command)
}
