//! Colours that stay apart for the colour-blind and in print.

/// Stops of the heat map from 0 to 1: pale yellow over green to dark blue. Lightness falls all the way, so that the order
/// can be read without any sense of hue.
const HEAT: [[f64; 3]; 5] =
    [[255.0, 255.0, 229.0], [199.0, 233.0, 180.0], [65.0, 182.0, 196.0], [34.0, 94.0, 168.0], [8.0, 29.0, 88.0]];

/// The colour of a share from 0 to 1, and of text upon it.
pub(crate) fn heat(share: f64) -> (String, &'static str) {
    let at = share.clamp(0.0, 1.0) * (HEAT.len() - 1) as f64;
    let stop = HEAT.iter().enumerate().filter(|(i, _)| *i as f64 <= at).count().min(HEAT.len() - 1) - 1;
    let between = at - stop as f64;
    let mix = |channel: usize| HEAT[stop][channel] * (1.0 - between) + HEAT[stop + 1][channel] * between;
    let text = if share > 0.65 { "#ffffff" } else { "#1a1a1a" };
    (format!("rgb({:.0},{:.0},{:.0})", mix(0), mix(1), mix(2)), text)
}

#[cfg(test)]
mod tests {
    use super::heat;

    #[test]
    fn the_ends_of_the_scale_are_its_first_and_last_colours() {
        assert_eq!(heat(0.0).0, "rgb(255,255,229)");
        assert_eq!(heat(1.0).0, "rgb(8,29,88)");
        assert_eq!(heat(-1.0), heat(0.0));
        assert_eq!(heat(7.0).0, heat(1.0).0);
    }
}
