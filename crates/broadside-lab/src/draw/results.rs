//! The figures of a campaign's results.

use super::{Chart, PngError, cumulative, histogram, png};
use crate::{Histogram, Results};

/// How large the images are, as a multiple of the drawing: sharp in print at a column's width.
const IMAGE_SCALE: f32 = 2.0;

impl Results {
    /// How many games took how many shots.
    pub fn histogram(&self) -> Chart {
        histogram(self.shots(), self.caption())
    }

    /// How many games were over after how many shots.
    pub fn cumulative(&self) -> Chart {
        cumulative(self.shots(), self.caption())
    }

    fn shots(&self) -> impl Iterator<Item = (&str, &Histogram)> {
        self.captains.iter().map(|captain| (captain.captain.as_str(), &captain.shots))
    }

    /// The figures and the data as files: their names and contents.
    ///
    /// # Errors
    /// When an image can't be made.
    pub fn files(&self) -> Result<Vec<(&'static str, Vec<u8>)>, PngError> {
        let (histogram, cumulative) = (self.histogram().svg(), self.cumulative().svg());
        let figures = vec![
            ("histogram.png", png(&histogram, IMAGE_SCALE)?),
            ("histogram.svg", histogram.into_bytes()),
            ("cumulative.png", png(&cumulative, IMAGE_SCALE)?),
            ("cumulative.svg", cumulative.into_bytes()),
        ];
        Ok([figures, self.data_files()].concat())
    }
}

#[cfg(test)]
mod tests {
    use crate::{Campaign, CampaignConfig, Layouts, Results};

    fn results() -> Results {
        let config = CampaignConfig { rules: "1x3 1 allowed ship".parse().unwrap(), games: 3, seed: 1 };
        let campaign = Campaign::new(config, ["density", "exact"], Layouts::Uniform).unwrap();
        Results::new(&campaign, &campaign.run(|_| {}).unwrap())
    }

    #[test]
    fn the_caption_is_drawn() {
        let svg = results().histogram().svg();
        assert!(svg.contains("3 games each; 1x3 1 allowed ship; uniform layouts; seed 1"), "{svg}");
    }

    #[test]
    fn all_files_have_something_in_them() {
        let files = results().files().unwrap();
        assert_eq!(files.len(), 7);
        assert!(files.iter().all(|(_, bytes)| !bytes.is_empty()));
    }
}
