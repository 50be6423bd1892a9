//! The results as one page: no network, readable on a phone and in the dark. Scripts only move through the games.

use broadside_lab::draw::{Axis, Chart, Series, histogram, html_head};
use maud::{DOCTYPE, Markup, PreEscaped, html};
use serde::Serialize;

use super::record::GameLine;
use super::results::{PairResult, PlayerResult, TournamentResults};

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// So many games can be looked at.
const GAMES: usize = 60;

/// So many players have their shots drawn.
const CURVES: usize = 8;

/// What the page's script knows.
#[derive(Serialize)]
struct Shown<'a> {
    rows: usize,
    cols: usize,
    games: Vec<&'a GameLine>,
}

impl TournamentResults {
    /// All files of the results: data and the page.
    pub fn files(&self) -> Vec<(&'static str, Vec<u8>)> {
        let mut files = self.data_files();
        files.push(("index.html", self.page().into_bytes()));
        files
    }

    /// The whole page.
    pub fn page(&self) -> String {
        let about = &self.tournament;
        let title = format!("Broadside tournament: {}", about.rules);
        let page = html! {
            (DOCTYPE)
            html lang="en" {
                (html_head(&title, STYLE))
                body {
                    header {
                        h1 { "Tournament" }
                        p { (about.rules) " · " (about.mode) " · " (about.pairing) " · " (about.layouts) " layouts · "
                            (about.games) " games a pair · seed " (about.seed) " · " (self.played) " games played" }
                    }
                    main {
                        (self.ratings())
                        (self.cross_table())
                        (self.first_move_words())
                        (self.shots())
                        (self.forfeit_list())
                        (self.replays())
                    }
                }
            }
        };
        page.into_string()
    }

    fn ratings(&self) -> Markup {
        html! {
            section aria-labelledby="ratings" {
                h2 id="ratings" { "Ratings" }
                p class="soft" { "Bradley and Terry's model on Elo's scale: 400 points are odds of 10 to 1; the mean is 0. "
                    "Intervals are of 95 %." }
                div class="wide" { table {
                    thead { tr {
                        @for head in ["#", "player", "kind", "rating", "interval", "score", "games", "shots", "accuracy", "forfeits"] {
                            th scope="col" { (head) }
                        }
                    } }
                    tbody { @for (place, player) in (1..).zip(&self.players) { (player_row(place, player)) } }
                } }
                div class="wide" { (PreEscaped(self.rating_chart())) }
            }
        }
    }

    fn rating_chart(&self) -> String {
        let dots = |value: fn(&PlayerResult) -> f64| (1..).map(f64::from).zip(self.players.iter().map(value)).collect::<Vec<_>>();
        let players = self.players.len() as f64;
        Chart::new("Ratings with their 95% intervals", Axis::new("place").from(0.0).to(players + 1.0), Axis::new("rating"))
            .with_caption(format!("{} games", self.played))
            .with(Series::dots("rating", dots(|player| player.rating.rating)))
            .with(Series::dots("upper end", dots(|player| player.rating.interval.high)))
            .with(Series::dots("lower end", dots(|player| player.rating.interval.low)))
            .svg()
    }

    fn pair(&self, a: &str, b: &str) -> Option<(f64, f64, &PairResult)> {
        self.pairs.iter().filter(|pair| pair.games > 0).find_map(|pair| match (&*pair.a, &*pair.b) {
            names if names == (a, b) => Some((pair.score, pair.expected, pair)),
            names if names == (b, a) => Some((1.0 - pair.score, 1.0 - pair.expected, pair)),
            _ => None,
        })
    }

    fn cross_table(&self) -> Markup {
        html! {
            section aria-labelledby="cross" {
                h2 id="cross" { "Everybody against everybody" }
                p class="soft" { "Points of the row against the column, in percent; below, what the ratings make one expect." }
                div class="wide" { table class="cross" {
                    thead { tr {
                        th scope="col" { "player" }
                        @for (place, player) in (1..).zip(&self.players) { th scope="col" title=(player.name) { (place) } }
                    } }
                    tbody { @for (place, row) in (1..).zip(&self.players) { tr {
                        th scope="row" { (place) " " (row.name) }
                        @for column in &self.players { (self.cross_cell(row, column)) }
                    } } }
                } }
            }
        }
    }

    fn cross_cell(&self, row: &PlayerResult, column: &PlayerResult) -> Markup {
        let Some((score, expected, pair)) = self.pair(&row.name, &column.name) else { return html! { td { "·" } } };
        let title = format!("{} against {}: {} games", row.name, column.name, pair.games);
        html! {
            td title=(title) style={ "--share:" (format!("{:.0}%", 100.0 * score)) } class="share" {
                (format!("{:.1}", 100.0 * score)) br; small { (format!("{:.1}", 100.0 * expected)) }
            }
        }
    }

    fn first_move_words(&self) -> Markup {
        let Some(first) = &self.first_move else { return html! {} };
        let range = first.interval.map(|i| format!(" ({:.2} to {:.2} %)", 100.0 * i.low, 100.0 * i.high)).unwrap_or_default();
        html! {
            section aria-labelledby="first" {
                h2 id="first" { "Firing first" }
                p { "Whoever fires first wins " (format!("{:.2}", 100.0 * first.share)) " % of " (first.games)
                    " games that were played to the end" (range)
                    @if let Some(worth) = first.rating {
                        ", which is worth " (format!("{:.1} ± {:.1}", worth.rating, worth.std_err)) " points of rating"
                    } "." }
            }
        }
    }

    fn shots(&self) -> Markup {
        let shown: Vec<_> = self.players.iter().filter(|player| player.finished > 0).take(CURVES).collect();
        if shown.is_empty() {
            return html! {};
        }
        let caption = format!("games that were won, or finished alone; {}", self.tournament.rules);
        let chart = histogram(shown.iter().map(|player| (player.name.as_str(), &player.shots)), &caption).svg();
        html! {
            section aria-labelledby="shots" {
                h2 id="shots" { "Shots to sink the fleet" }
                @if self.players.len() > CURVES { p class="soft" { "The best " (CURVES) " players." } }
                div class="wide" { (PreEscaped(chart)) }
            }
        }
    }

    fn forfeit_list(&self) -> Markup {
        html! {
            section aria-labelledby="forfeits" {
                h2 id="forfeits" { "Forfeits" }
                @if self.forfeits.is_empty() { p { "No game was lost by a fault." } }
                ul { @for forfeit in self.forfeits.iter().take(20) { li { strong { (forfeit.player) } ": " (forfeit.reason) } } }
            }
        }
    }

    fn replays(&self) -> Markup {
        let size = self.tournament.rules.split(' ').next().and_then(|grid| grid.split_once('x'));
        let (rows, cols) = size.and_then(|(rows, cols)| rows.parse().ok().zip(cols.parse().ok())).unwrap_or((0, 0));
        let games: Vec<&GameLine> = self.samples.iter().filter(|line| line.shots.iter().any(|shots| !shots.is_empty())).collect();
        let step = games.len().div_ceil(GAMES).max(1);
        let shown = Shown { rows, cols, games: games.into_iter().step_by(step).collect() };
        let json = serde_json::to_string(&shown).expect("numbers and texts");
        html! {
            section aria-labelledby="games" {
                h2 id="games" { "Games" }
                div id="viewer" hidden {
                    p { label { "Game " select id="game" {} } " " label { "Shot " input type="range" id="shot" min="0" value="0"; }
                        " " output id="number" for="shot" {} }
                    div id="boards" {}
                    p id="end" aria-live="polite" {}
                }
                noscript { p { "The games can be looked at with scripts switched on." } }
                // The data must not contain a tag that would end the script.
                script type="application/json" id="data" { (PreEscaped(json.replace('<', "\\u003c"))) }
                script { (PreEscaped(SCRIPT)) }
            }
        }
    }
}

fn player_row(place: usize, player: &PlayerResult) -> Markup {
    let shots = player.mean_shots.map(|mean| format!("{mean:.2} ± {:.2}", player.std_err_shots.unwrap_or(0.0)));
    let interval = player.rating.interval;
    html! {
        tr {
            td { (place) }
            th scope="row" { (player.name) }
            td { (player.kind) }
            td { (format!("{:.0}", player.rating.rating)) }
            td { (format!("{:.0} to {:.0}", interval.low, interval.high)) }
            td { (format!("{:.1} %", 100.0 * player.score)) }
            td { (player.games) }
            td { (shots.unwrap_or_else(|| "–".to_owned())) }
            td { @if let Some(accuracy) = player.accuracy { (format!("{:.1} % of {}", 100.0 * accuracy, player.reviewed)) } @else { "–" } }
            td { (player.forfeits) }
        }
    }
}
