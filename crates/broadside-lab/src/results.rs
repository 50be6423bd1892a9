//! What a contest has shown, as data and as figures.
//!
//! Nothing in it depends on time, threads or interruptions: the same contest gives the same bytes.

use std::fmt::Write;

use serde::{Serialize, Serializer};

use crate::checkpoint::Identity;
use crate::draw::{self, Chart, PngError, thousands};
use crate::stats::{Difference, Interval, wilson};
use crate::{Contest, Histogram, Standing, pairs};

/// The percentiles that are written down.
const PERCENTILES: [u32; 9] = [1, 5, 10, 25, 50, 75, 90, 95, 99];

/// How large the images are, as a multiple of the drawing: sharp in print at a column's width.
const IMAGE_SCALE: f32 = 2.0;

/// The results of a contest.
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
    /// Numbers of shots that so many percent of the games took no more than.
    #[serde(serialize_with = "as_map")]
    pub percentiles: Vec<(u32, i64)>,
    /// Games without a miss.
    pub perfect: Perfect,
    /// How many games took each number of shots.
    #[serde(rename = "histogram", serialize_with = "as_counts")]
    pub shots: Histogram,
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
    /// The results of a contest at a standing.
    ///
    /// ```
    /// use broadside_lab::{Campaign, Contest, Layouts, Results};
    /// let campaign = Campaign { rules: "5x5 3,2 allowed ship".parse()?, games: 100, seed: 1 };
    /// let contest = Contest::new(campaign, ["random", "density"], Layouts::Uniform)?;
    /// let mut standing = contest.start();
    /// contest.play(&mut standing, |_| false)?;
    /// let results = Results::of(&contest, &standing);
    /// assert!(results.json().contains(r#""captain":"density","games":100,"mean":"#));
    /// assert!(results.differences[0].settled);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of(contest: &Contest, standing: &Standing) -> Self {
        let names = contest.captains();
        let perfect = contest.campaign().rules.fleet().cells().cast_signed() as i64;
        let captains = names.iter().zip(standing.shots());
        let compared = pairs(names.len()).zip(standing.differences());
        let Identity { version, rules, seed, layouts, .. } = Identity::of(contest);
        Self {
            version,
            rules,
            seed,
            games: standing.played(),
            layouts,
            captains: captains.map(|(name, shots)| CaptainResult::new(name, shots, perfect)).collect(),
            differences: compared.map(|((a, b), games)| Difference::new(&names[a], &names[b], games)).collect(),
            caption: caption(contest, standing),
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

    /// How many games took how many shots.
    pub fn histogram(&self) -> Chart {
        draw::histogram(self.shots(), &self.caption)
    }

    /// How many games were over after how many shots.
    pub fn cumulative(&self) -> Chart {
        draw::cumulative(self.shots(), &self.caption)
    }

    fn shots(&self) -> impl Iterator<Item = (&str, &Histogram)> {
        self.captains.iter().map(|captain| (captain.captain.as_str(), &captain.shots))
    }

    /// Everything as files: their names and contents.
    ///
    /// # Errors
    /// When an image can't be made.
    pub fn files(&self) -> Result<Vec<(&'static str, Vec<u8>)>, PngError> {
        let (histogram, cumulative) = (self.histogram().svg(), self.cumulative().svg());
        Ok(vec![
            ("histogram.png", draw::png(&histogram, IMAGE_SCALE)?),
            ("histogram.svg", histogram.into_bytes()),
            ("cumulative.png", draw::png(&cumulative, IMAGE_SCALE)?),
            ("cumulative.svg", cumulative.into_bytes()),
            ("histogram.csv", self.histogram_csv().into_bytes()),
            ("summary.csv", self.summary_csv().into_bytes()),
            ("results.json", self.json().into_bytes()),
        ])
    }
}

fn caption(contest: &Contest, standing: &Standing) -> String {
    let (campaign, played) = (contest.campaign(), thousands(&standing.played().to_string()));
    let (games, each) =
        (if standing.played() == 1 { "game" } else { "games" }, if contest.captains().len() > 1 { " each" } else { "" });
    format!("{played} {games}{each}; {}; {}; seed {}", campaign.rules, contest.layouts().words(), campaign.seed)
}

impl CaptainResult {
    fn new(name: &str, shots: &Histogram, perfect: i64) -> Self {
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
    use crate::{Campaign, Layouts};

    /// Three games on a row of three cells, the ship on A1, A2 and A3 in turn; `density` fires at A1, A2, A3, since all
    /// cells look alike to it, or in another fixed order.
    fn results(games: u64) -> Results {
        let rules = "1x3 1 allowed ship".parse().unwrap();
        let layout = |text: &&str| text.parse::<Draft>().unwrap().check(&rules).into_layout().unwrap();
        let layouts = Layouts::Listed(["A1", "A2", "A3"].iter().map(layout).collect());
        let contest = Contest::new(Campaign { rules, games, seed: 1 }, ["density", "exact"], layouts).unwrap();
        let mut standing = contest.start();
        contest.play(&mut standing, |_| false).unwrap();
        Results::of(&contest, &standing)
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
    fn the_caption_says_how_many_games() {
        let svg = results(3).histogram().svg();
        assert!(svg.contains("3 games each; 1x3 1 allowed ship; 3 listed layouts; seed 1"), "{svg}");
    }

    #[test]
    fn all_files_have_something_in_them() {
        let files = results(3).files().unwrap();
        assert_eq!(files.len(), 7);
        assert!(files.iter().all(|(_, bytes)| !bytes.is_empty()));
    }
}
