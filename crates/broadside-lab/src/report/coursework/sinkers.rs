//! Section 4 of the report: two ways to sink a ship, with its length called or not, after each finder.

use broadside_rules::{Call, Rules};

use super::super::games::{Games, Paired};
use super::super::{Check, Row, Section, Settings, Table, Unit, text};
use super::finders::FINDERS;
use super::{boards, options};
use crate::CampaignError;

/// A game is played twice, once by each sinker.
const TIMES: u64 = 2;

/// Single ships to sink, by their length.
const SINGLES: [usize; 4] = [2, 3, 4, 5];

/// How close two ways are that the document calls similar: a shot a game.
const SIMILAR: f64 = 1.0;

fn number(settings: &Settings) -> u64 {
    settings.share(50)
}

pub(super) fn games(settings: &Settings) -> u64 {
    let cells_of_matrix = (boards().len() * VARIANTS.len() * FINDERS.len()) as u64;
    number(settings) * (TIMES * cells_of_matrix + SINGLES.len() as u64 + 2)
}

/// The document's variants and what they tell.
const VARIANTS: [(Call, &str); 2] = [(Call::Every, "variant 1, length called"), (Call::Ship, "variant 2, not called")];

pub(super) fn section(games: &Games<'_>) -> Result<Section, CampaignError> {
    let (mut rows, mut tables) = (Vec::new(), Vec::new());
    for rules in boards() {
        let (more, table) = matrix(games, &rules)?;
        rows.extend(more);
        tables.push(table);
    }
    for length in SINGLES {
        rows.push(bound_row(games, length)?);
    }
    rows.push(best_row(games)?);
    let about = format!(
        "Every finder with both sinkers, whole games, {} of each on the same layouts. Variant 1 is played with the call \
         ‘every’, variant 2 with ‘ship’. The document announces its own figures for a later report, so its expectations in words \
         are tested.",
        text::whole(number(games.settings).into())
    );
    Ok(Section { title: "Finders and sinkers", about, rows, tables, ..Section::default() })
}

/// The matrix of one board, and the claims about it.
fn matrix(games: &Games<'_>, rules: &Rules) -> Result<(Vec<Row>, Table), CampaignError> {
    let (mut rows, mut body) = (Vec::new(), Vec::new());
    for (call, variant) in VARIANTS {
        let rules = rules.clone().with_call(call);
        for finder in FINDERS {
            let pair = games.pair(&rules, finder, number(games.settings))?;
            body.push(line(variant, finder, &pair));
            rows.push(claim(&rules, finder, &pair, games.settings));
        }
    }
    let head = ["variant", "finder", "with brute", "with smart", "smart − brute"].map(str::to_owned).into();
    Ok((rows, Table { caption: format!("Mean shots to finish, {} with fleet {}", rules.grid(), rules.fleet()), head, body }))
}

fn line(variant: &str, finder: &str, pair: &Paired) -> Vec<String> {
    let shots = |number| format!("{} {}", Unit::Plain.sampled(number), Unit::Plain.error(number.std_err));
    vec![variant.to_owned(), finder.to_owned(), shots(pair.brute), shots(pair.smart), shots(pair.difference)]
}

fn claim(rules: &Rules, finder: &str, pair: &Paired, settings: &Settings) -> Row {
    let board = rules.grid();
    let (words, check) = if rules.call().tells_length_on_hit() {
        (
            "smart needs more shots than brute force where lengths are called",
            Check::Above { source: 0.0, measured: pair.difference },
        )
    } else {
        ("smart and brute force are alike where they are not", Check::Small { source: SIMILAR, measured: pair.difference })
    };
    Row::new("section 4.5", format!("{finder} on {board}: {words}"), check)
        .note("Shots of smart less those of brute, game by game.")
        .by(format!(
            "broadside bench games {} --call {} --seed {} --games {} --captain {finder}+smart \
                 --against {finder}+brute",
            options(rules),
            rules.call(),
            settings.seed,
            number(settings)
        ))
}

/// “4 + 3·2 + len + 1 guesses are needed.”
fn bound_row(games: &Games<'_>, length: usize) -> Result<Row, CampaignError> {
    let rules: Rules = format!("10x10 {length} allowed ship").parse().expect("one ship fits");
    let shots = games.after_first_hit(&rules, "random+smart", number(games.settings))?;
    let measured = shots.largest().unwrap_or(0) as f64;
    let check = Check::NeverAbove { source: (4 + 3 * 2 + length + 1) as f64, measured, as_many: true };
    Ok(Row::new(
        "section 4.4",
        format!(
            "Smart sinks a lone ship of {length} in 4 + 3·2 + {length} + 1 guesses at most, after \
             the first hit"
        ),
        check,
    ))
}

/// “Close to the best algorithms for playing the game.”
fn best_row(games: &Games<'_>) -> Result<Row, CampaignError> {
    let [rules, _] = boards();
    let measured = games.difference(&rules, "pdf+smart", "density", number(games.settings))?;
    let check = Check::Small { source: SIMILAR, measured };
    Ok(Row::new("section 5", "PDF with smart is close to the best: within a shot of the article’s density", check)
        .says("“close to the best algorithms”: less than a shot")
        .note("Shots of pdf+smart less those of density, game by game.")
        .by(format!(
            "broadside simulate --seed {} --games {} --captain pdf+smart density",
            games.settings.seed,
            number(games.settings)
        )))
}
