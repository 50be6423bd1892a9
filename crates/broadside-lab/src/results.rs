//! The results of a campaign, as data.
//!
//! Nothing here depends on time, threads or interruptions: the same campaign gives the same bytes.

use std::fmt::Write;

use broadside_rules::Rules;
use serde::{Serialize, Serializer};

use crate::layouts::describe;
use crate::stats::{Difference, Interval, wilson};
use crate::text::thousands;
use crate::{Campaign, Histogram, Identity, Tally, pairs};

/// The percentiles that are written down.
const PERCENTILES: [u32; 9] = [1, 5, 10, 25, 50, 75, 90, 95, 99];

/// The results of a campaign.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Results {
    /// The version of the program.
    pub version: String,
    /// The rules.
    pub rules: String,
    /// The seed.
    pub seed: u64,
    /// How many games.
    pub games: u64,
    /// Which games, if they are only a part of the campaign.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub part: Option<String>,
    /// Where the layouts come from.
    pub layouts: String,
    /// What each captain did.
    pub captains: Vec<CaptainResult>,
    /// Each captain against every one after it.
    pub differences: Vec<Difference>,
    #[serde(skip)]
    caption: String,
}

/// What a captain did.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CaptainResult {
    /// The captain's name.
    pub captain: String,
    /// How many games.
    pub games: u64,
    /// The mean number of shots.
    pub mean: f64,
    /// The standard deviation.
    pub sd: f64,
    /// The standard error of the mean.
    pub std_err: f64,
    /// The 95% interval of the mean; absent for a single game.
    pub interval: Option<Interval>,
    /// The fewest shots.
    pub min: Option<i64>,
    /// The median.
    pub median: Option<i64>,
    /// The most shots.
    pub max: Option<i64>,
    /// Percentiles: a percentage, and the number of shots that this share of games stayed within.
    #[serde(serialize_with = "as_map")]
    pub percentiles: Vec<(u32, i64)>,
    /// Games without a miss.
    pub perfect: Perfect,
    /// The turns, where a turn is more than one shot.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub turns: Option<MeanTurns>,
    /// How many games took each number of shots.
    #[serde(rename = "histogram", serialize_with = "as_counts")]
    pub shots: Histogram,
}

/// Turns of several shots. The shooter's own fleet counts as whole, so all turns but the last have the same number of shots.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct MeanTurns {
    /// The mean number of turns.
    pub mean: f64,
    /// Its standard error.
    pub std_err: f64,
}

impl MeanTurns {
    /// The turns of games with these shots; none where each shot is a turn.
    fn new(shots: &Histogram, shots_a_turn: i64) -> Option<Self> {
        let counts = |turn: i64| (0..shots_a_turn).map(|shot| shots.count_of(turn * shots_a_turn - shot)).sum();
        let most = shots.largest().unwrap_or(0) / shots_a_turn + 1;
        let turns = Histogram::from_counts(0, (0..=most).map(counts).collect());
        (shots_a_turn > 1).then(|| Self { mean: turns.mean(), std_err: turns.std_err() })
    }
}

/// Games without a miss.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Perfect {
    /// How many.
    pub games: u64,
    /// Their share of all games.
    pub share: f64,
    /// Its 95% interval.
    pub interval: Option<Interval>,
}

fn as_map<S: Serializer>(percentiles: &[(u32, i64)], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(percentiles.iter().map(|(percent, shots)| (percent.to_string(), shots)))
}

fn as_counts<S: Serializer>(shots: &Histogram, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(shots.counts().map(|(_, count)| count))
}

impl Results {
    /// The results of a campaign with this tally.
    ///
    /// ```
    /// use broadside_lab::{CampaignConfig, Campaign, Layouts, Results};
    /// let config = CampaignConfig { rules: "5x5 3,2 allowed ship".parse()?, games: 100, seed: 1 };
    /// let campaign = Campaign::new(config, ["random", "density"], Layouts::Uniform)?;
    /// let results = Results::new(&campaign, &campaign.run(|_| {})?);
    /// assert!(results.json().contains(r#""captain":"density","games":100,"mean":"#));
    /// assert!(results.differences[0].settled);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(campaign: &Campaign, tally: &Tally) -> Self {
        Self::of(&Identity::new(campaign), &campaign.config().rules, tally)
    }

    pub(crate) fn of(campaign: &Identity, rules: &Rules, tally: &Tally) -> Self {
        let names = &campaign.captains;
        let [perfect, a_turn] = [rules.fleet().cells(), rules.shots_a_turn()].map(|number| number.cast_signed() as i64);
        let captains = names.iter().zip(tally.shots());
        let compared = pairs(names.len()).zip(tally.differences());
        let Identity { version, rules, seed, layouts, .. } = campaign.clone();
        // The first games are a campaign of their own.
        let is_part = tally.games().end() != tally.played();
        Self {
            version,
            rules,
            seed,
            games: tally.played(),
            part: is_part.then(|| tally.games().to_string()),
            layouts,
            captains: captains.map(|(name, shots)| CaptainResult::new(name, shots, perfect, a_turn)).collect(),
            differences: compared.map(|((a, b), games)| Difference::new(&names[a], &names[b], games)).collect(),
            caption: caption(campaign, tally),
        }
    }

    /// The results as one line of JSON.
    ///
    /// # Panics
    /// Never: all in it can be written as JSON.
    pub fn json(&self) -> String {
        serde_json::to_string(self).expect("numbers and texts") + "\n"
    }

    /// A table with a line for each captain, as CSV.
    pub fn summary_csv(&self) -> String {
        let mut csv = "captain,games,mean,sd,std_err,low,high,min,median,max,perfect,perfect_low,perfect_high".to_owned();
        for percent in PERCENTILES {
            append(&mut csv, format_args!(",p{percent}"));
        }
        if self.captains.iter().any(|captain| captain.turns.is_some()) {
            csv.push_str(",turns,turns_std_err");
        }
        self.captains.iter().for_each(|captain| captain.append_summary(&mut csv));
        csv + "\n"
    }

    /// A table with a line for each captain and number of shots that came up, as CSV.
    pub fn histogram_csv(&self) -> String {
        let mut csv = "captain,shots,games,share,cumulative\n".to_owned();
        for CaptainResult { captain, games, shots, .. } in &self.captains {
            let rows = shots.counts().zip(shots.cumulative()).filter(|((_, count), _)| *count > 0);
            rows.for_each(|((number, count), (_, cumulative))| {
                let share = count as f64 / *games as f64;
                append(&mut csv, format_args!("{captain},{number},{count},{share},{cumulative}\n"));
            });
        }
        csv
    }

    /// Where the layouts come from, in words.
    pub fn layouts_description(&self) -> String {
        describe(&self.layouts)
    }

    /// What was played, in a line: the number of games, the rules, the layouts and the seed.
    pub fn caption(&self) -> &str {
        &self.caption
    }

    /// The data as files: their names and contents.
    pub fn data_files(&self) -> Vec<(&'static str, Vec<u8>)> {
        vec![
            ("histogram.csv", self.histogram_csv().into_bytes()),
            ("summary.csv", self.summary_csv().into_bytes()),
            ("results.json", self.json().into_bytes()),
        ]
    }
}

fn caption(campaign: &Identity, tally: &Tally) -> String {
    let played = thousands(&tally.played().to_string());
    let (games, each) =
        (if tally.played() == 1 { "game" } else { "games" }, if campaign.captains.len() > 1 { " each" } else { "" });
    format!("{played} {games}{each}; {}; {}; seed {}", campaign.rules, describe(&campaign.layouts), campaign.seed)
}

impl CaptainResult {
    fn new(name: &str, shots: &Histogram, perfect: i64, a_turn: i64) -> Self {
        let (games, flawless) = (shots.total(), shots.count_of(perfect));
        let percentile = |percent| shots.percentile(percent).map(|shots| (percent, shots));
        Self {
            captain: name.to_owned(),
            games,
            mean: shots.mean(),
            sd: shots.deviation(),
            std_err: shots.std_err(),
            interval: shots.interval(),
            min: shots.smallest(),
            median: shots.median(),
            max: shots.largest(),
            percentiles: PERCENTILES.into_iter().filter_map(percentile).collect(),
            perfect: Perfect { games: flawless, share: flawless as f64 / games as f64, interval: wilson(flawless, games) },
            turns: MeanTurns::new(shots, a_turn),
            shots: shots.clone(),
        }
    }

    fn append_summary(&self, csv: &mut String) {
        let Self { captain, games, mean, sd, std_err, perfect, .. } = self;
        append(csv, format_args!("\n{captain},{games},{mean},{sd},{std_err}"));
        append_interval(csv, self.interval);
        for number in [self.min, self.median, self.max].into_iter().flatten() {
            append(csv, format_args!(",{number}"));
        }
        append(csv, format_args!(",{}", perfect.games));
        append_interval(csv, perfect.interval);
        self.percentiles.iter().for_each(|(_, shots)| append(csv, format_args!(",{shots}")));
        if let Some(MeanTurns { mean, std_err }) = self.turns {
            append(csv, format_args!(",{mean},{std_err}"));
        }
    }
}

/// The two ends, or two empty fields.
fn append_interval(csv: &mut String, interval: Option<Interval>) {
    match interval {
        Some(Interval { low, high }) => append(csv, format_args!(",{low},{high}")),
        None => csv.push_str(",,"),
    }
}

fn append(csv: &mut String, words: std::fmt::Arguments<'_>) {
    csv.write_fmt(words).expect("a string takes all that is written to it");
}

#[cfg(test)]
mod tests {
    use broadside_rules::Draft;

    use super::*;
    use crate::{CampaignConfig, Layouts};

    /// Three games on a row of three cells, the ship on A1, A2 and A3 in turn; `density` fires at A1, A2, A3, since all
    /// cells look alike to it, or in another fixed order.
    fn results(games: u64) -> Results {
        let rules = "1x3 1 allowed ship".parse().unwrap();
        let layout = |text: &&str| text.parse::<Draft>().unwrap().check(&rules).into_layout().unwrap();
        let layouts = Layouts::Listed(["A1", "A2", "A3"].iter().map(layout).collect());
        let campaign = Campaign::new(CampaignConfig { rules, games, seed: 1 }, ["density", "exact"], layouts).unwrap();
        Results::new(&campaign, &campaign.run(|_| {}).unwrap())
    }

    #[test]
    fn json_has_the_agreed_fields_in_order() {
        let json: serde_json::Value = serde_json::from_str(&results(3).json()).unwrap();
        assert_eq!((&json["games"], &json["seed"]), (&3.into(), &1.into()));
        let captain = &json["captains"][0];
        assert_eq!(captain["captain"], "density");
        assert_eq!(captain["histogram"].as_array().unwrap().len(), 4);
        assert_eq!(captain["percentiles"]["50"], captain["median"]);
        assert!(json["differences"][0]["interval"].is_array());
    }

    #[test]
    fn csv_has_as_many_fields_in_every_line() {
        for csv in [results(3).summary_csv(), results(1).summary_csv(), results(3).histogram_csv()] {
            let fields: Vec<usize> = csv.lines().map(|line| line.split(',').count()).collect();
            assert!(fields.len() > 1 && fields.iter().all(|&number| number == fields[0]), "{csv}");
        }
    }

    #[test]
    fn turns_are_counted_where_they_are_several_shots() {
        // Games of 2, 3 and 6 shots are 1, 1 and 2 turns of three.
        let shots = Histogram::from_counts(0, vec![0, 0, 1, 1, 0, 0, 1]);
        let turns = MeanTurns::new(&shots, 3).unwrap();
        assert!((turns.mean - 4.0 / 3.0).abs() < 1e-12 && (turns.std_err - 1.0 / 3.0).abs() < 1e-12, "{turns:?}");
        assert_eq!(MeanTurns::new(&shots, 1), None);
    }

    #[test]
    fn the_caption_says_how_many_games() {
        assert_eq!(results(3).caption(), "3 games each; 1x3 1 allowed ship; 3 listed layouts; seed 1");
    }
}
