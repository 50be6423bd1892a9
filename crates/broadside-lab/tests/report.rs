//! The report as a whole, made small: what is in it, and how it looks in a real browser.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

use broadside_browser::{Browser, Look};
use broadside_lab::report::{
    Check, CountingTimes, FinishedCampaigns, Progress, Report, Settings, Timings, ValidationTimes, Verdict,
};

/// Counts the games that it is told of.
#[derive(Default)]
struct Count(AtomicU64);

impl Progress for Count {
    fn begin(&self, _what: &str) {}

    fn played(&self, games: u64) {
        self.0.fetch_add(games, Ordering::Relaxed);
    }
}

fn settings(games: u64) -> Settings {
    Settings { games, seed: 1, results: FinishedCampaigns::default() }
}

fn timings() -> Timings {
    let runs = |time: f64| (0..15).map(|run| time + f64::from(run) * 1e-8).collect();
    let checking = ValidationTimes { brute: runs(2.6e-6), skip: runs(4.1e-6), fast_check: runs(0.2e-6) };
    Timings { threads: 2, counting: CountingTimes { listing: Some((9.9, 5.1)), threads: 2, transfer: 0.0018 }, checking }
}

/// One small report for all tests.
fn report() -> &'static Report {
    static REPORT: OnceLock<Report> = OnceLock::new();
    REPORT.get_or_init(|| Report::measure(&settings(200), &timings(), &Count::default()).unwrap())
}

#[test]
fn every_document_has_its_chapter_and_every_row_its_numbers() {
    let report = report();
    let numbers: Vec<&str> = report.chapters.iter().map(|chapter| chapter.number).collect();
    assert_eq!(numbers, ["000", "001", "002", "003", "004"]);
    for row in report.rows() {
        for words in [row.source(), row.measured(), row.error(), row.claim.clone(), row.command.clone()] {
            assert!(!words.trim().is_empty() && !words.contains("NaN") && !words.contains("inf"), "{row:?}");
        }
    }
    for chapter in &report.chapters {
        assert!(chapter.sections.iter().all(|section| !section.rows.is_empty() || !section.figures.is_empty()));
    }
}

/// The verdicts that don't depend on how many games were played, and follow from what the sources print.
#[test]
fn what_is_known_of_the_sources_comes_out() {
    let verdict = |claim: &str| {
        let row = report().rows().find(|row| row.claim.contains(claim)).unwrap_or_else(|| panic!("no row on {claim}"));
        row.verdict()
    };
    for claim in
        ["added up as running totals", "top left corner has 2", "One perfect game in so many", "told apart", "may not touch"]
    {
        assert_eq!(verdict(claim), Verdict::Reproduced, "{claim}");
    }
    for claim in ["over within 96 shots", "3 on 6x6 sooner", "fewest cells for length 3 on 10x10", "find and sink it on 10x10"] {
        assert_eq!(verdict(claim), Verdict::NotReproduced, "{claim}");
    }
    assert_eq!(verdict("numbers of the figure (algorithm 6)"), Verdict::Differs);
    assert_eq!(verdict("On a GPU"), Verdict::Undecided);
}

#[test]
fn the_same_settings_give_the_same_page_on_any_number_of_threads() {
    let on = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| Report::measure(&settings(100), &timings(), &Count::default()).unwrap().html())
    };
    assert_eq!(on(1), on(3));
}

#[test]
fn all_games_are_told_of() {
    let (settings, count) = (settings(300), Count::default());
    Report::measure(&settings, &timings(), &count).unwrap();
    assert_eq!(count.0.into_inner(), settings.all_games());
}

#[test]
fn finished_campaigns_are_taken_as_they_are() {
    let mut results = FinishedCampaigns::default();
    let histogram = [vec![0; 42], vec![7]].concat();
    let text = format!(r#"{{"captains":[{{"captain":"density","games":7,"histogram":{histogram:?}}}]}}"#);
    results.add(&text, "some/results.json").unwrap();
    let report = Report::measure(&Settings { games: 100, seed: 1, results }, &timings(), &Count::default()).unwrap();
    let median = report.rows().find(|row| row.claim == "Median of probability density").unwrap();
    assert_eq!((median.verdict(), median.measured().as_str()), (Verdict::Reproduced, "42"));
    assert!(median.command.contains("some/results.json"));
    let page = report.html();
    assert!(page.contains("--games 100 --seed 1 --results some/results.json") && page.contains("but for those of"));
    assert!(
        page.contains("<td>some/results.json</td>") && page.contains("<td>this run</td>"),
        "the table says where games come from"
    );
}

#[test]
fn only_what_is_neither_sampled_nor_rounded_is_called_exact() {
    for row in report().rows().filter(|row| row.error() == "exact") {
        assert!(matches!(row.check, Check::Same { .. } | Check::Exactly { .. }), "{row:?}");
    }
    let sampled = report().rows().find(|row| row.claim.contains("over the entire range")).unwrap();
    assert_eq!(sampled.error(), "2.58 standard errors allowed");
}

/// Elements that have no end.
const VOID: [&str; 3] = ["meta", "link", "br"];

#[test]
fn elements_are_nested_and_nothing_refers_to_the_network() {
    let page = report().html();
    let mut open: Vec<&str> = Vec::new();
    for tag in page.split('<').skip(2).map(|rest| rest.split_once('>').unwrap().0) {
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop(), Some(name));
        } else if !tag.ends_with('/') {
            let name = tag.split_whitespace().next().unwrap();
            open.extend((!VOID.contains(&name)).then_some(name));
        }
    }
    assert!(open.is_empty(), "{open:?}");
    let outside = page.replace("xmlns=\"http://www.w3.org/2000/svg\"", "");
    // The documents themselves may be linked to; nothing else leads outside.
    let links: Vec<&str> = report().chapters.iter().filter_map(|chapter| chapter.link).collect();
    let outside = links.iter().fold(outside, |page, link| page.replace(link, "#"));
    for words in ["http:", "https:", "//", "src=", "<script", "@import", "url("] {
        assert!(!outside.contains(words), "the page has {words}");
    }
    assert!(outside.split("href=\"").skip(1).all(|link| link.starts_with('#') || link.starts_with("data:,")));
}

#[test]
fn every_link_leads_somewhere() {
    let page = report().html();
    for link in page.split("href=\"#").skip(1).map(|rest| rest.split_once('"').unwrap().0) {
        assert_eq!(page.matches(&format!("id=\"{link}\"")).count(), 1, "{link}");
    }
}

/// Opens the page and looks at it as a reader would.
fn look(look: Look, name: &str) -> Browser {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("report.html");
    std::fs::write(&path, report().html()).unwrap();
    let browser = Browser::start(look);
    browser.open_file(&path);
    browser.assert_no_errors();
    browser.keep_screenshot(name);
    browser
}

#[test]
fn in_a_browser_all_figures_show_and_nothing_overflows() {
    for (looks, name) in [(Look::desktop(), "report-desktop"), (Look::phone().dark(), "report-phone-dark")] {
        let browser = look(looks, name);
        assert_eq!(browser.overflow(), 0, "{name}");
        let figures: usize =
            report().chapters.iter().flat_map(|chapter| &chapter.sections).map(|section| section.figures.len()).sum();
        let shown = "return [...document.querySelectorAll('figure svg')].filter(f => f.checkVisibility() \
             && f.getBoundingClientRect().height > 50).length";
        assert_eq!(browser.script(shown), figures, "{name}");
        assert_eq!(browser.count(".claims tbody tr"), report().rows().count());
        browser.assert_no_errors();
    }
}

#[test]
fn without_scripts_the_page_is_all_there() {
    let browser = look(Look::desktop().without_scripts(), "report-no-scripts");
    assert!(browser.is_visible("#summary") && browser.is_visible("#document-004 .claims"));
    assert!(browser.text(".lead").contains("claims"));
}
