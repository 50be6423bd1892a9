//! The puzzle of the newspapers: new ones, and hints.

use axum::Json;
use axum::extract::State;
use broadside_puzzle::{Generator, Grade, HintTable, Line, NewPuzzle, Puzzle};
use broadside_rules::{Grid, Stop};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::app::App;
use crate::error::{ApiError, ErrorOut, responses};
use crate::extract::JsonBody;
use crate::fair::JobInfo;
use crate::memory::JobBudget;
use crate::messages::chain;
use crate::peer::ClientId;

/// Boards that are tried for a puzzle before the request is refused.
const ATTEMPTS: u32 = 20_000;
/// Guesses for a puzzle that somebody sends: those that people print take a few.
const GUESSES: u64 = 5_000;
/// The longest puzzle that is read, and the longest list of marks, in bytes.
const MAX_TEXT: usize = 4096;

/// A request for a puzzle.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct PuzzleIn {
    /// Rows and columns, each 6 to 15.
    #[schema(example = "8x8")]
    board: String,
    /// How hard it is: easy, medium, hard or expert.
    #[schema(example = "easy")]
    grade: String,
    /// The same number makes the same puzzle.
    #[schema(example = 20_261_117, format = "uint64")]
    seed: u64,
}

/// A puzzle.
#[derive(Serialize, ToSchema)]
pub(crate) struct PuzzleOut {
    /// The puzzle on one line.
    #[schema(example = "2,1 2,0,1 1,1,1 C3o")]
    puzzle: String,
    rows: usize,
    cols: usize,
    /// Lengths of the ships, the longest first.
    fleet: Vec<usize>,
    /// How many cells of each row hold a ship.
    row_counts: Vec<Option<usize>>,
    /// How many cells of each column hold a ship.
    column_counts: Vec<Option<usize>>,
    revealed: Vec<RevealedOut>,
    /// How hard it is.
    grade: &'static str,
}

/// A revealed cell.
#[derive(Serialize, ToSchema)]
pub(crate) struct RevealedOut {
    cell: String,
    /// What it shows: water, single, middle, top, bottom, left, right or ship.
    mark: &'static str,
}

impl PuzzleOut {
    fn new(puzzle: &Puzzle, grade: Grade) -> Self {
        let grid = puzzle.grid();
        Self {
            puzzle: puzzle.to_string(),
            rows: grid.rows(),
            cols: grid.cols(),
            fleet: puzzle.fleet().lengths().iter().map(|length| length.get()).collect(),
            row_counts: (0..grid.rows()).map(|row| puzzle.count(Line::Row(row))).collect(),
            column_counts: (0..grid.cols()).map(|column| puzzle.count(Line::Column(column))).collect(),
            revealed: puzzle.revealed().map(|(cell, mark)| RevealedOut { cell: cell.to_string(), mark: mark.word() }).collect(),
            grade: grade.word(),
        }
    }
}

/// Makes a puzzle with one solution, the same for everybody who sends the same.
#[utoipa::path(post, path = "/api/puzzles", operation_id = "make_puzzle", tag = "puzzles", request_body = PuzzleIn, responses(
    (status = 200, description = "the puzzle", body = PuzzleOut),
    (status = 422, body = ErrorOut, description = "there are no such puzzles, or none came up"),
    responses::Body, responses::Busy,
))]
pub(crate) async fn make(
    State(app): State<App>,
    client: ClientId,
    JsonBody(asked): JsonBody<PuzzleIn>,
) -> Result<Json<PuzzleOut>, ApiError> {
    let refused = |error: &dyn std::error::Error| ApiError::Rules(chain(error));
    let grid: Grid = asked.board.parse().map_err(|error| refused(&error))?;
    let grade = Grade::ALL.iter().copied().find(|grade| grade.word() == asked.grade);
    let grade = grade.ok_or_else(|| ApiError::Rules("the grades are easy, medium, hard and expert".to_owned()))?;
    let generator = Generator::new(grid, None, grade).map_err(|error| refused(&error))?;
    let work = move |_: &JobBudget, stop: &Stop| generate(generator.clone(), asked.seed, stop).map(Some);
    let made = app.run(job(client, grid), work).await?;
    Ok(Json(PuzzleOut::new(&made.puzzle, grade)))
}

fn job(client: ClientId, grid: Grid) -> JobInfo {
    JobInfo { client, game: None, cost: (grid.len() * grid.len()) as u64 }
}

fn generate(mut generator: Generator, seed: u64, stop: &Stop) -> Result<NewPuzzle, ApiError> {
    let mut rng = broadside_lab::generator(seed, 0);
    for _ in 0..ATTEMPTS {
        stop.check().map_err(|stopped| ApiError::OutOfReach(chain(&stopped)))?;
        if let Some(made) = generator.generate(1, &mut rng) {
            return Ok(made);
        }
    }
    Err(ApiError::OutOfReach("no such puzzle came up: choose another grade or size".to_owned()))
}

/// A request for a hint.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct HintIn {
    /// The puzzle on one line.
    #[schema(example = "2,1 2,0,1 1,1,1 C3o")]
    puzzle: String,
    /// The cells that the player has marked: ~ for water, x for a ship.
    #[serde(default)]
    #[schema(example = "B2~ A1x")]
    marks: String,
}

/// A hint.
#[derive(Serialize, ToSchema)]
pub(crate) struct HintOut {
    /// wrong: some marks are; next: what can be deduced; look: a cell that no single deduction finds; done; none: the puzzle
    /// has no solution; several: it has more than one.
    kind: &'static str,
    /// The name of the deduction.
    technique: Option<&'static str>,
    /// Whether it is about a row or a column.
    line: Option<&'static str>,
    /// The letter or number of that line.
    label: Option<String>,
    /// The cell or ship that it is about.
    about: Option<String>,
    /// The length of the ships that it is about.
    length: Option<usize>,
    /// Of “what if”: whether the cell is supposed to be a ship.
    supposed_ship: Option<bool>,
    /// Cells that hold a ship.
    ships: Vec<String>,
    /// Cells that are water.
    water: Vec<String>,
    /// Cells that are marked wrongly.
    wrong: Vec<String>,
    /// The hint in English.
    text: String,
}

impl From<HintTable> for HintOut {
    fn from(table: HintTable) -> Self {
        let HintTable { kind, technique, line, label, about, length, supposed_ship, ships, water, wrong, text } = table;
        Self { kind, technique, line, label, about, length, supposed_ship, ships, water, wrong, text }
    }
}

/// What can be deduced next, or which marks are wrong.
#[utoipa::path(post, path = "/api/puzzles/hint", operation_id = "puzzle_hint", tag = "puzzles", request_body = HintIn, responses(
    (status = 200, description = "the hint", body = HintOut),
    (status = 422, body = ErrorOut, description = "that is no puzzle, or it takes too long to solve"),
    responses::Body, responses::Busy,
))]
pub(crate) async fn hint(
    State(app): State<App>,
    client: ClientId,
    JsonBody(asked): JsonBody<HintIn>,
) -> Result<Json<HintOut>, ApiError> {
    if asked.puzzle.len().max(asked.marks.len()) > MAX_TEXT {
        return Err(ApiError::Limit(format!("no puzzle that this server solves takes more than {MAX_TEXT} bytes")));
    }
    let refused = |error: &dyn std::error::Error| ApiError::Rules(chain(error));
    let puzzle: Puzzle = asked.puzzle.parse().map_err(|error| refused(&error))?;
    let marks = puzzle.read_marks(&asked.marks).map_err(|error| refused(&error))?;
    let info = job(client, puzzle.grid());
    let work = move |_: &JobBudget, _: &Stop| {
        let hint = puzzle.hint(&marks, GUESSES).map_err(|error| ApiError::OutOfReach(chain(&error)))?;
        Ok(Some(HintTable::from(&hint)))
    };
    Ok(Json(app.run(info, work).await?.into()))
}
