//! What all pages begin with.

use maud::{Markup, PreEscaped, html};

/// The head of a page that stands alone: it asks the network for nothing, and is readable on a phone and in the dark.
pub fn html_head(title: &str, style: &str) -> Markup {
    html! {
        head {
            meta charset="utf-8";
            meta name="viewport" content="width=device-width, initial-scale=1";
            meta name="color-scheme" content="light dark";
            // Without one, browsers ask the network for an icon.
            link rel="icon" href="data:,";
            title { (title) }
            style { (PreEscaped(style)) }
        }
    }
}
