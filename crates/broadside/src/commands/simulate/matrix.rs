//! `broadside simulate --hider`: every hider against every captain.

use std::io::{self, Write};
use std::path::Path;

use broadside_lab::draw::{PngError, png};
use broadside_lab::{CampaignConfig, Effort, Hider, HiderError, HiderMatrix, HiderRow, MatrixCell};

use super::{Args, registry};
use crate::exit::{Failure, Outcome};
use crate::files;
use crate::options::Format;
use crate::output;
use crate::progress::{self, Meter};
use crate::weights::{self, WEIGHTS};

/// What stands before the name of a file in the name of a hider who hides by it.
const WEIGHTS_FILE: &str = "weights:";

/// How large the image is, as a multiple of the drawing.
const IMAGE_SCALE: f32 = 2.0;

/// The picture can't be made.
#[derive(Debug, thiserror::Error)]
#[error("can't draw the matrix")]
struct DrawError(#[from] PngError);

pub(super) fn run(args: &Args) -> Result<Outcome, Failure> {
    let rules = args.rules.rules()?;
    let registry = registry(args, &rules)?;
    let weights = args.weights.read(&rules)?;
    // Before the work, so that a wrong name is not found out after it.
    args.out.as_deref().map(files::claim_folder).transpose()?;
    let spinner = progress::spinner("looking for layouts".to_owned());
    let hider = |name: &String| match (name.strip_prefix(WEIGHTS_FILE), &weights) {
        (Some(file), _) => Ok(Hider::from_weights(name, weights::read(Path::new(file), &rules)?)),
        (None, Some(weights)) if name == WEIGHTS => Ok(Hider::from_weights(WEIGHTS, weights.clone())),
        _ => Hider::new(name, &rules, &registry, Effort::default()).map_err(failure),
    };
    let hiders = args.hiders.iter().map(hider).collect::<Result<Vec<_>, _>>();
    spinner.finish_and_clear();
    let hiders = hiders?;
    let config = CampaignConfig { rules, games: args.games(), seed: args.seed };
    let meter = Meter::new(args.quiet, 0, args.games() * hiders.len() as u64);
    let matrix = HiderMatrix::play(&registry, &config, &args.captains, &hiders, |games| meter.add(games));
    meter.finish();
    let matrix = matrix.map_err(super::failure)?;
    print(args.format.format, &matrix, hiders.iter().any(Hider::is_approximate))?;
    args.out.as_deref().map_or(Ok(()), |folder| keep(folder, &matrix))?;
    Ok(Outcome::Done)
}

fn failure(error: HiderError) -> Failure {
    if matches!(error, HiderError::Deal(_) | HiderError::Solve(_)) {
        Failure::no_answer(error)
    } else {
        Failure::bad_request(error)
    }
}

fn keep(folder: &Path, matrix: &HiderMatrix) -> Result<(), Failure> {
    let svg = matrix.svg();
    let image = png(&svg, IMAGE_SCALE).map_err(|error| Failure::system(DrawError(error)))?;
    for (name, bytes) in [("matrix.json", matrix.json().into_bytes()), ("matrix.svg", svg.into_bytes()), ("matrix.png", image)] {
        files::write(&folder.join(name), &bytes)?;
    }
    Ok(())
}

/// What is said of a hider that couldn't be solved. JSON has it where it says where layouts come from.
const APPROXIMATE: &str =
    "equilibrium is approximate on this board: by weights that were searched for on the classic one, not by a solution";

fn print(format: Format, matrix: &HiderMatrix, is_approximate: bool) -> Result<(), Failure> {
    let mut out = output::stdout();
    match format {
        Format::Text => {
            write_text(&mut out, matrix)?;
            if is_approximate {
                writeln!(out, "{APPROXIMATE}")?;
            }
        }
        Format::Json => out.write_all(matrix.json().as_bytes())?,
    }
    out.flush()?;
    Ok(())
}

/// Room for a mean, its error and two marks.
const CELL_WIDTH: usize = 20;

fn write_text(out: &mut dyn Write, matrix: &HiderMatrix) -> io::Result<()> {
    writeln!(out, "{}, seed {}, {} games each\n", matrix.rules, matrix.seed, matrix.games)?;
    let width = matrix.hiders.iter().map(|row| row.hider.len()).fold("hider".len(), usize::max);
    write!(out, "{:<width$}", "hider")?;
    let mut captains = matrix.hiders.first().map(|row| row.captains.iter()).into_iter().flatten();
    captains.try_for_each(|cell| write!(out, " {:>CELL_WIDTH$}", cell.captain))?;
    writeln!(out)?;
    matrix.hiders.iter().try_for_each(|row| write_row(out, row, width))?;
    writeln!(out, "\n* no captain needs fewer shots against this hider; ^ no hider costs this captain more shots")
}

fn write_row(out: &mut dyn Write, row: &HiderRow, width: usize) -> io::Result<()> {
    write!(out, "{:<width$}", row.hider)?;
    for MatrixCell { mean, std_err, best_reply, best_hider, .. } in &row.captains {
        let marks = format!("{}{}", if *best_reply { "*" } else { " " }, if *best_hider { "^" } else { " " });
        write!(out, " {:>CELL_WIDTH$}", format!("{mean:.3} ± {std_err:.3} {marks}"))?;
    }
    writeln!(out)
}
