//! A whole replay as one HTML page.

use broadside_rules::{Cell, CellSet, Placement, ShotLog};
use maud::{DOCTYPE, Markup, PreEscaped, html};
use serde::Serialize;

use super::picture::capitalised;
use super::{Frame, Heat, Replay};
use crate::draw::{HeatColour, Mark, html_head, marks};

const STYLE: &str = include_str!("page/page.css");
const SCRIPT: &str = include_str!("page/page.js");

/// Steps of the heat scale from cold to hot, beside 0.
const LEVELS: usize = 16;

/// What the page's script knows.
#[derive(Serialize)]
struct Game {
    /// The number of the first shot shown.
    first: usize,
    /// The shots before it.
    before: Vec<MarkedCell>,
    /// The cells of the ships, by their index in reading order.
    ships: Vec<usize>,
    shots: Vec<ShownShot>,
}

#[derive(Serialize)]
struct MarkedCell {
    cell: usize,
    mark: &'static str,
}

/// One shot.
#[derive(Serialize)]
struct ShownShot {
    #[serde(flatten)]
    fired: MarkedCell,
    /// The cells that are known since this shot to belong to sunk ships.
    sunk: Vec<usize>,
    headline: String,
    #[serde(skip)]
    description: String,
    words: String,
    advice: String,
    left: String,
    heading: String,
    /// Whether the heat is in thousandths of certainty; otherwise it is in thousandths of the hottest.
    percent: bool,
    heat: Vec<Option<i32>>,
}

/// One self-contained page with these frames of the replay: two boards, a slider and the list of shots. It needs no
/// network; without scripts it shows the last shot and the list.
///
/// The page is empty when there are no frames.
pub fn page(replay: &Replay, frames: impl IntoIterator<Item = Frame>) -> String {
    let grid = replay.rules().grid();
    let mut game = Game { first: 1, before: Vec::new(), ships: Vec::new(), shots: Vec::new() };
    game.ships.extend(replay.record().layout().cells().iter().map(|cell| grid.index(cell)));
    let mut last = None;
    for frame in frames {
        if game.shots.is_empty() {
            game.first = frame.number;
            game.before = marked_cells(&frame.before);
        }
        game.shots.push(ShownShot::new(replay, &frame));
        last = Some(frame);
    }
    last.map(|last| markup(replay, &game, &last).into_string()).unwrap_or_default()
}

fn marked_cells(log: &ShotLog) -> Vec<MarkedCell> {
    let marks = marks(log).into_iter().enumerate();
    marks.filter_map(|(cell, mark)| Some(MarkedCell { cell, mark: mark?.name() })).collect()
}

fn sunk_cells(log: &ShotLog) -> CellSet {
    CellSet::from_cells(log.rules().grid(), log.sunk_ships().into_iter().flat_map(Placement::cells))
}

impl ShownShot {
    fn new(replay: &Replay, frame: &Frame) -> Self {
        let (grid, after) = (replay.rules().grid(), &frame.after);
        let scale = if frame.heat.is_chance() { 1.0 } else { frame.heat.max().max(f64::MIN_POSITIVE) };
        let thousandths = |value: &Option<f64>| value.map(|value| (value / scale * 1000.0).round() as i32);
        let newly_sunk = &sunk_cells(after) - &sunk_cells(&frame.before);
        Self {
            fired: MarkedCell { cell: grid.index(frame.shot.cell), mark: Mark::from(frame.shot.answer).name() },
            sunk: newly_sunk.iter().map(|cell| grid.index(cell)).collect(),
            headline: replay.headline(frame),
            description: frame.description(),
            words: capitalised(&replay.reason(frame)),
            advice: capitalised(&replay.advice(frame)),
            left: frame.ships_left(),
            heading: replay.heading(&frame.heat),
            percent: frame.heat.is_chance(),
            heat: frame.heat.values().iter().map(thousandths).collect(),
        }
    }
}

fn markup(replay: &Replay, game: &Game, last: &Frame) -> Markup {
    let shown = &game.shots[game.shots.len() - 1];
    html! {
        (DOCTYPE)
        html lang="en" {
            (html_head(&replay.title(), &format!("{STYLE}{}", heat_classes())))
            body style={ "--cols: " (replay.rules().grid().cols()) } {
                header {
                    h1 { (replay.title()) }
                    p class="soft" { (replay.rules()) }
                }
                main {
                    (controls(game.shots.len() - 1))
                    div id="said" aria-live="polite" {
                        p { strong id="headline" { (shown.headline) } }
                        p id="words" { (shown.words) }
                        p class="soft" id="advice" { (shown.advice) }
                    }
                    div class="boards" {
                        section class="board" aria-labelledby="heading" {
                            h2 id="heading" { (shown.heading) }
                            (table("seen", &last.before, &last.heat, last.shot.cell))
                        }
                        section class="board" aria-labelledby="result" {
                            h2 id="result" { "After the shot – " span id="left" { (shown.left) } }
                            (table("after", &last.after, &Heat::Unknown, last.shot.cell))
                        }
                    }
                    (key())
                    (shot_list(game))
                }
                // The data must not contain a tag that would end the script.
                script type="application/json" id="game" { (PreEscaped(json(game).replace('<', "\\u003c"))) }
                script { (PreEscaped(SCRIPT)) }
            }
        }
    }
}

fn json(game: &Game) -> String {
    serde_json::to_string(game).expect("numbers and text can be written")
}

/// The buttons and the slider, which need scripts.
fn controls(last: usize) -> Markup {
    html! {
        div class="controls" data-script hidden {
            button type="button" id="back" aria-label="Previous shot" { "◀" }
            input type="range" id="slider" min="0" max=(last) value=(last) aria-label="Shot";
            button type="button" id="next" aria-label="Next shot" { "▶" }
            button type="button" id="play" { "Play" }
            label { input type="checkbox" id="reveal"; " Show the ships" }
        }
    }
}

/// What colours and signs mean.
fn key() -> Markup {
    html! {
        ul class="key" {
            @for mark in [Mark::Miss, Mark::Hit, Mark::Sunk] {
                li { span class=(mark.name()) { (sign(mark)) } (mark.name()) }
            }
            li { span class="chosen" {} "this shot" }
            li { span class="scale" {} "from worst to best" }
        }
    }
}

fn shot_list(game: &Game) -> Markup {
    html! {
        section {
            h2 { "All shots" }
            ol class="shots" start=(game.first) {
                @for (number, shot) in (game.first..).zip(&game.shots) {
                    li {
                        a href={ "#shot-" (number) } { (shot.description) } ". " (shot.words) "."
                        @if !shot.advice.is_empty() { " " span class="soft" { (shot.advice) } }
                    }
                }
            }
        }
    }
}

/// The heat scale as classes. On a dark page the scale is reversed, so that the hottest cell is the lightest.
fn heat_classes() -> String {
    let variables = |share: fn(f64) -> f64| -> String {
        let colour = |level| HeatColour::new(share(level as f64 / LEVELS as f64));
        let level = |level| {
            let HeatColour { background, text } = colour(level);
            format!("--h{level}: {background}; --i{level}: {text}; ")
        };
        (0..=LEVELS).map(level).collect()
    };
    let class = |level| format!("td.h{level} {{ background: var(--h{level}); color: var(--i{level}); }}\n");
    let (light, dark) = (variables(|share| share), variables(|share| 1.0 - share));
    let classes: String = (0..=LEVELS).map(class).collect();
    format!(":root {{ {light}}}\n@media (prefers-color-scheme: dark) {{ :root {{ {dark}}} }}\n{classes}")
}

/// A board as a table, which screen readers can walk through.
fn table(id: &str, log: &ShotLog, heat: &Heat, chosen: Cell) -> Markup {
    let (grid, marks) = (log.rules().grid(), marks(log));
    let cells: Vec<Cell> = grid.cells().collect();
    html! {
        table id=(id) {
            tr {
                th aria-label="row" {}
                @for col in 1..=grid.cols() { th scope="col" { (col) } }
            }
            @for row in cells.chunks(grid.cols()) {
                tr {
                    th scope="row" { (row[0].to_string().trim_end_matches('1')) }
                    @for &cell in row {
                        @let (class, text) = square(marks[grid.index(cell)], heat, grid.index(cell));
                        td class={ (class) @if cell == chosen { " chosen" } } { (text) }
                    }
                }
            }
        }
    }
}

/// The class of a cell, and its text.
fn square(mark: Option<Mark>, heat: &Heat, index: usize) -> (String, String) {
    if let Some(mark) = mark {
        return (mark.name().to_owned(), sign(mark).to_owned());
    }
    let class = heat.share(index).map(|share| format!("h{:.0}", share * LEVELS as f64)).unwrap_or_default();
    let percent = heat.at(index).filter(|&chance| heat.is_chance() && chance > 0.0);
    let text = percent.map(|chance| format!("{:.*}", usize::from(chance < 1.0), chance * 100.0)).unwrap_or_default();
    (class, text)
}

const fn sign(mark: Mark) -> &'static str {
    match mark {
        Mark::Miss => "•",
        Mark::Hit => "✕",
        Mark::Sunk => "#",
        Mark::Ship => "",
        Mark::Rock => "▲",
        Mark::Untold => "?",
    }
}
