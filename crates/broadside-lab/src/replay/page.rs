//! A whole replay as one page.

use std::fmt::Write;

use broadside_rules::{Answer, Cell, Grid, ShotLog};
use serde::Serialize;

use super::picture::sentence;
use super::{Frame, Heat, Replay};
use crate::draw::{escape, heat};

const STYLE: &str = include_str!("page/page.css");
const SCRIPT: &str = include_str!("page/page.js");

/// Colours of the heat map, from cold to hot.
const LEVELS: usize = 16;

/// What the page's script knows.
#[derive(Serialize)]
struct Game {
    /// The number of the first shot shown.
    first: usize,
    /// The shots before it.
    before: Vec<Marked>,
    /// The cells of the ships, by their place in reading order.
    ships: Vec<usize>,
    shots: Vec<Seen>,
}

#[derive(Serialize)]
struct Marked {
    cell: usize,
    mark: &'static str,
}

/// One shot.
#[derive(Serialize)]
struct Seen {
    #[serde(flatten)]
    marked: Marked,
    headline: String,
    #[serde(skip)]
    told: String,
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
            game.before = frame.before.shots().iter().map(|shot| marked(grid, shot.cell, shot.answer)).collect();
        }
        game.shots.push(seen(replay, &frame));
        last = Some(frame);
    }
    last.map(|last| written(replay, &game, &last)).unwrap_or_default()
}

fn marked(grid: Grid, cell: Cell, answer: Answer) -> Marked {
    Marked { cell: grid.index(cell), mark: mark(answer) }
}

fn mark(answer: Answer) -> &'static str {
    match answer {
        Answer::Miss => "miss",
        Answer::Hit(_) => "hit",
        Answer::Sunk(_) => "sunk",
    }
}

fn seen(replay: &Replay, frame: &Frame) -> Seen {
    let scale = if frame.heat.is_chance() { 1.0 } else { frame.heat.hottest().max(f64::MIN_POSITIVE) };
    let thousandths = |value: &Option<f64>| value.map(|value| (value / scale * 1000.0).round() as i32);
    Seen {
        marked: marked(replay.rules().grid(), frame.shot.cell, frame.shot.answer),
        headline: replay.headline(frame),
        told: frame.told(),
        words: sentence(&replay.reason(frame)),
        advice: sentence(&replay.advice(frame)),
        left: frame.ships_left(),
        heading: replay.heading(&frame.heat),
        percent: frame.heat.is_chance(),
        heat: frame.heat.values().iter().map(thousandths).collect(),
    }
}

fn written(replay: &Replay, game: &Game, last: &Frame) -> String {
    let now = &game.shots[game.shots.len() - 1];
    // A page must not end its script by what is written in it.
    let data = serde_json::to_string(game).expect("numbers and text can be written").replace('<', "\\u003c");
    format!(
        r#"<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="generator" content="Broadside">
<link rel="icon" href="data:,">
<title>{title}</title>
<style>
{STYLE}{levels}</style>
</head>
<body style="--cols: {cols}">
<header>
<h1>{title}</h1>
<p class="soft">{rules}</p>
</header>
<main>
<div class="controls" data-script hidden>
<button type="button" id="back" aria-label="Previous shot">◀</button>
<input type="range" id="slider" min="0" max="{max}" value="{max}" aria-label="Shot">
<button type="button" id="next" aria-label="Next shot">▶</button>
<button type="button" id="play">Play</button>
<label><input type="checkbox" id="reveal"> Show the ships</label>
</div>
<div id="said" aria-live="polite">
<p><strong id="headline">{headline}</strong></p>
<p id="words">{words}</p>
<p class="soft" id="advice">{advice}</p>
</div>
<div class="boards">
<section class="board" aria-labelledby="heading">
<h2 id="heading">{heading}</h2>
{seen}</section>
<section class="board" aria-labelledby="result">
<h2 id="result">After the shot – <span id="left">{left}</span></h2>
{after}</section>
</div>
<ul class="key">
<li><span class="miss">•</span>miss</li>
<li><span class="hit">✕</span>hit</li>
<li><span class="sunk">#</span>hit that sinks</li>
<li><span class="chosen"></span>this shot</li>
<li><span class="scale"></span>from worst to best</li>
</ul>
<section>
<h2>All shots</h2>
<ol class="shots" start="{first}">
{list}</ol>
</section>
</main>
<script type="application/json" id="game">{data}</script>
<script>
{SCRIPT}</script>
</body>
</html>
"#,
        title = escape(&replay.title()),
        rules = escape(&replay.rules().to_string()),
        cols = replay.rules().grid().cols(),
        max = game.shots.len() - 1,
        first = game.first,
        levels = levels(),
        headline = escape(&now.headline),
        words = escape(&now.words),
        advice = escape(&now.advice),
        heading = escape(&now.heading),
        left = escape(&now.left),
        seen = table("seen", &last.before, &last.heat, last.shot.cell),
        after = table("after", &last.after(), &Heat::Unknown, last.shot.cell),
        list = list(game),
    )
}

/// The colours of the heat as classes; on dark paper the scale is turned round, so that the hottest stands out.
fn levels() -> String {
    let (mut names, mut light, mut dark) = (String::new(), String::new(), String::new());
    for level in 0..=LEVELS {
        let share = level as f64 / LEVELS as f64;
        let ((pale, ink), (deep, chalk)) = (heat(share), heat(1.0 - share));
        push(&mut light, format_args!("--h{level}: {pale}; --i{level}: {ink}; "));
        push(&mut dark, format_args!("--h{level}: {deep}; --i{level}: {chalk}; "));
        push(&mut names, format_args!("td.h{level} {{ background: var(--h{level}); color: var(--i{level}); }}\n"));
    }
    format!(":root {{ {light}}}\n@media (prefers-color-scheme: dark) {{ :root {{ {dark}}} }}\n{names}")
}

/// A board as a table, as screen readers can walk through it.
fn table(id: &str, log: &ShotLog, heat: &Heat, chosen: Cell) -> String {
    let grid = log.rules().grid();
    let mut html = format!("<table id=\"{id}\">\n<tr><th aria-label=\"row\"></th>");
    (1..=grid.cols()).for_each(|col| push(&mut html, format_args!("<th scope=\"col\">{col}</th>")));
    for cell in grid.cells() {
        if cell.col() == 0 {
            let name = cell.to_string();
            push(&mut html, format_args!("</tr>\n<tr><th scope=\"row\">{}</th>", name.trim_end_matches('1')));
        }
        let (class, text) = square(log, heat, cell);
        let chosen = if cell == chosen { " chosen" } else { "" };
        push(&mut html, format_args!("<td class=\"{class}{chosen}\">{text}</td>"));
    }
    html + "</tr>\n</table>\n"
}

fn square(log: &ShotLog, heat: &Heat, cell: Cell) -> (String, String) {
    let index = log.rules().grid().index(cell);
    if let Some(number) = log.shot_number(cell) {
        let mark = mark(log.shots()[number - 1].answer);
        let sign = match mark {
            "miss" => "•",
            "hit" => "✕",
            _ => "#",
        };
        return (mark.to_owned(), sign.to_owned());
    }
    let class = heat.share(index).map(|share| format!("h{:.0}", share * LEVELS as f64)).unwrap_or_default();
    let percent = heat.at(index).filter(|&chance| heat.is_chance() && chance > 0.0);
    let text = percent.map(|chance| format!("{:.*}", usize::from(chance < 1.0), chance * 100.0)).unwrap_or_default();
    (class, text)
}

fn list(game: &Game) -> String {
    let mut html = String::new();
    for (number, shot) in (game.first..).zip(&game.shots) {
        push(&mut html, format_args!("<li><a href=\"#shot-{number}\">{}</a>. {}.", escape(&shot.told), escape(&shot.words)));
        if !shot.advice.is_empty() {
            push(&mut html, format_args!(" <span class=\"soft\">{}</span>", escape(&shot.advice)));
        }
        html.push_str("</li>\n");
    }
    html
}

fn push(html: &mut String, words: std::fmt::Arguments<'_>) {
    html.write_fmt(words).expect("a string takes all that is written to it");
}
