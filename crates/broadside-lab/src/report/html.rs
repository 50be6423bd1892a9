//! The report as one page: no script, no network, readable on a phone, in the dark and on paper.

use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::text;
use super::{Chapter, Figure, Report, Row, Section, Table, Verdict};
use crate::draw::html_head;

const STYLE: &str = include_str!("style.css");

/// More figures than this are shown smaller.
const MANY: usize = 6;

impl Report {
    /// The whole page.
    pub fn html(&self) -> String {
        let page = html! {
            (DOCTYPE)
            html lang="en" {
                (html_head("Broadside: the sources, measured", STYLE))
                body {
                    a class="skip" href="#main" { "Skip to the report" }
                    (self.header())
                    div class="columns" {
                        (self.contents())
                        main id="main" {
                            (self.summary())
                            @for chapter in &self.chapters { (chapter.markup()) }
                            (self.footer())
                        }
                    }
                }
            }
        };
        page.into_string()
    }

    fn header(&self) -> Markup {
        html! {
            header class="top" {
                div class="inner" {
                    p class="kicker" { "Broadside " (self.version) }
                    h1 { "Five documents on Battleship, measured" }
                    p class="lead" {
                        "Every table, figure and claim of the sources that this project builds on, beside what it measures. "
                        (text::whole(self.rows().count() as u128)) " claims, each with a rule that decides it."
                    }
                    p class="facts" {
                        "Seed " code { (self.seed) } " · "
                        (text::whole(self.games.into())) " games for each captain of the DataGenetics article"
                        @if !self.results.is_empty() { ", but for those of " code { (self.results.join(" ")) } }
                        " · "
                        (self.threads) " threads"
                    }
                }
            }
        }
    }

    fn contents(&self) -> Markup {
        html! {
            nav class="contents" aria-label="Contents" {
                p class="nav-title" { "Contents" }
                ol {
                    li { a href="#summary" { "What came of it" } }
                    @for chapter in &self.chapters {
                        li {
                            a href={ "#" (chapter.id()) } { (chapter.title) }
                            ol {
                                @for section in &chapter.sections {
                                    li { a href={ "#" (section.id(chapter)) } { (section.title) } }
                                }
                            }
                        }
                    }
                    li { a href="#how" { "How to read and repeat it" } }
                }
            }
        }
    }

    fn summary(&self) -> Markup {
        html! {
            section id="summary" aria-labelledby="summary-title" {
                h2 id="summary-title" { "What came of it" }
                div class="tiles" {
                    @for verdict in Verdict::ALL {
                        div class={ "tile " (class(verdict)) } {
                            span class="count" { (tally(self.rows(), verdict)) }
                            span class="word" { (symbol(verdict)) " " (verdict) }
                        }
                    }
                }
                table class="documents" {
                    caption { "Claims by document" }
                    thead {
                        tr {
                            th scope="col" { "document" }
                            @for verdict in Verdict::ALL { th scope="col" { (verdict) } }
                            th scope="col" class="share" { "share" }
                        }
                    }
                    tbody {
                        @for chapter in &self.chapters {
                            tr {
                                th scope="row" {
                                    a href={ "#" (chapter.id()) } { (chapter.title) }
                                }
                                @for verdict in Verdict::ALL {
                                    td data-label=(verdict.word()) { (tally(chapter.rows(), verdict)) }
                                }
                                td class="share" { (bar(chapter)) }
                            }
                        }
                    }
                }
                (self.failures())
            }
        }
    }

    /// What did not come out as the sources have it, with links.
    fn failures(&self) -> Markup {
        let all = || self.chapters.iter().flat_map(|chapter| chapter.numbered().map(move |(id, row)| (chapter, id, row)));
        html! {
            h3 { "What did not reproduce" }
            ul class="failures" {
                @for (chapter, id, row) in all().filter(|(_, _, row)| row.verdict() == Verdict::NotReproduced) {
                    li {
                        span class="number" { (chapter.short) } " "
                        a href={ "#" (id) } { (row.claim) } ": "
                        b { (row.source()) } " in the source, " b { (row.measured()) } " here."
                    }
                }
            }
        }
    }

    fn footer(&self) -> Markup {
        html! {
            section id="how" aria-labelledby="how-title" {
                h2 id="how-title" { "How to read and repeat it" }
                dl class="legend" {
                    dt { (badge(Verdict::Reproduced)) } dd { "The rule beside the row holds." }
                    dt { (badge(Verdict::Differs)) }
                    dd { "It fails for a reason that leaves the claim standing, which the row gives." }
                    dt { (badge(Verdict::NotReproduced)) } dd { "It fails." }
                    dt { (badge(Verdict::Undecided)) }
                    dd { "Too few games to tell, or nothing could be measured; more " code { "--games" } " may decide." }
                }
                p {
                    "Verdicts are computed from the two numbers and the rule. ± is one standard error; means are compared \
                     at 2.58 of them (99%), medians and shares by 95% intervals. Rows marked " span class="clock" { "time" }
                    " are timings of one run on one machine; everything else comes out the same for the same seed and \
                     number of games."
                }
                p { "This page: " code {
                    "broadside reproduce --games " (self.games) " --seed " (self.seed)
                    @if !self.results.is_empty() { " --results " (self.results.join(" ")) }
                } ". "
                    "The sources’ own size: " code { "broadside reproduce --games 100000000" } "." }
            }
        }
    }
}

impl Chapter {
    fn id(&self) -> String {
        format!("document-{}", self.number)
    }

    /// Its rows with the names by which they can be linked to.
    fn numbered(&self) -> impl Iterator<Item = (String, &Row)> {
        self.rows().enumerate().map(|(i, row)| (format!("row-{}-{}", self.number, i + 1), row))
    }

    fn markup(&self) -> Markup {
        let mut rows = self.numbered();
        html! {
            section class="chapter" id=(self.id()) aria-labelledby={ (self.id()) "-title" } {
                h2 id={ (self.id()) "-title" } { (self.title) }
                p class="citation" {
                    (self.citation) "."
                    @if let Some(link) = self.link { " " a href=(link) { (link) } }
                }
                p class="about" { (self.about) }
                (bar(self))
                @for section in &self.sections {
                    (section.markup(self, &rows.by_ref().take(section.rows.len()).collect::<Vec<_>>()))
                }
            }
        }
    }
}

impl Section {
    fn id(&self, chapter: &Chapter) -> String {
        let letters = self.title.chars().map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '-' });
        format!("{}-{}", chapter.id(), letters.collect::<String>().trim_matches('-'))
    }

    fn markup(&self, chapter: &Chapter, rows: &[(String, &Row)]) -> Markup {
        html! {
            section id=(self.id(chapter)) {
                h3 { (self.title) }
                p { (self.about) }
                @if !rows.is_empty() { (claims(self.title, rows)) }
                @if !self.figures.is_empty() {
                    div class=(if self.figures.len() > MANY { "figures many" } else { "figures" }) {
                        @for figure in &self.figures { (figure.markup()) }
                    }
                }
                @for table in &self.tables { (table.markup()) }
            }
        }
    }
}

fn claims(title: &str, rows: &[(String, &Row)]) -> Markup {
    html! {
        table class="claims" {
            caption class="hidden" { "Claims: " (title) }
            thead {
                tr { @for name in ["where", "claim", "source", "measured", "error", "verdict"] { th scope="col" { (name) } } }
            }
            tbody { @for (id, row) in rows { (row.markup(id)) } }
        }
    }
}

impl Row {
    fn markup(&self, id: &str) -> Markup {
        html! {
            tr id=(id) {
                td class="place" data-label="where" { (self.place) }
                th scope="row" class="claim" {
                    (self.claim)
                    @if self.timing { " " span class="clock" { "time" } }
                    @if let Some(remark) = self.remark() { p class="remark" { (remark) } }
                    p class="command" { code { (self.command) } }
                }
                td class="value" data-label="source" { (self.source()) }
                td class="value" data-label="measured" { (self.measured()) }
                td class="value" data-label="error" { (self.error()) }
                td class="verdict" data-label="verdict" {
                    (badge(self.verdict()))
                    p class="rule" { (self.check.rule()) }
                }
            }
        }
    }
}

impl Figure {
    fn markup(&self) -> Markup {
        html! {
            figure class=[self.wide.then_some("wide")] {
                div class="paper" { (PreEscaped(&self.svg)) }
                @if !self.caption.is_empty() { figcaption { (self.caption) } }
            }
        }
    }
}

impl Table {
    fn markup(&self) -> Markup {
        html! {
            div class="scroll" tabindex="0" role="region" aria-label=(self.caption) {
                table class="numbers" {
                    caption { (self.caption) }
                    thead { tr { @for name in &self.head { th scope="col" { (name) } } } }
                    tbody {
                        @for line in &self.body {
                            tr {
                                @for (i, entry) in line.iter().enumerate() {
                                    @if i == 0 { th scope="row" { (entry) } } @else { td { (entry) } }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

fn tally<'a>(rows: impl Iterator<Item = &'a Row>, verdict: Verdict) -> usize {
    rows.filter(|row| row.verdict() == verdict).count()
}

/// The shares of the verdicts as a bar.
fn bar(chapter: &Chapter) -> Markup {
    let counts = Verdict::ALL.map(|verdict| (verdict, tally(chapter.rows(), verdict)));
    let words: Vec<String> =
        counts.iter().filter(|(_, count)| *count > 0).map(|(verdict, count)| format!("{count} {verdict}")).collect();
    html! {
        div class="bar" role="img" aria-label=(words.join(", ")) {
            @for (verdict, count) in counts {
                @if count > 0 { span class=(class(verdict)) style={ "flex-grow:" (count) } {} }
            }
        }
    }
}

fn badge(verdict: Verdict) -> Markup {
    html! { span class={ "badge " (class(verdict)) } { (symbol(verdict)) " " (verdict) } }
}

/// A sign that tells verdicts apart without colour.
const fn symbol(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Reproduced => "✓",
        Verdict::Differs => "≠",
        Verdict::NotReproduced => "✗",
        Verdict::Undecided => "?",
    }
}

const fn class(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Reproduced => "yes",
        Verdict::Differs => "differs",
        Verdict::NotReproduced => "no",
        Verdict::Undecided => "open",
    }
}
