//! What every parser of the crate shares: short quotations for messages, and serde by notation.

/// How much of a faulty text a message repeats. A ten-megabyte line must not come back as a ten-megabyte error.
const EXCERPT: usize = 24;

/// The text in quotation marks, cut short, with control characters escaped.
pub(crate) fn quote(text: &str) -> String {
    let mut out: String = text.chars().take(EXCERPT).flat_map(char::escape_debug).collect();
    if text.chars().nth(EXCERPT).is_some() {
        out.push('…');
    }
    format!("‘{out}’")
}

/// Items with a blank between them.
pub(crate) fn write_list<T: std::fmt::Display>(f: &mut std::fmt::Formatter<'_>, items: &[T]) -> std::fmt::Result {
    for (i, item) in items.iter().enumerate() {
        let space = if i > 0 { " " } else { "" };
        write!(f, "{space}{item}")?;
    }
    Ok(())
}

/// Serialises a type as its notation, so that JSON, files and the command line agree on one form.
macro_rules! serde_by_notation {
    ($($type:ty),+ $(,)?) => {$(
        #[cfg(feature = "serde")]
        impl serde::Serialize for $type {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        #[cfg(feature = "serde")]
        impl<'de> serde::Deserialize<'de> for $type {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let text = <std::borrow::Cow<'de, str> as serde::Deserialize>::deserialize(deserializer)?;
                text.parse().map_err(serde::de::Error::custom)
            }
        }
    )+};
}
pub(crate) use serde_by_notation;

/// An enum whose variants are words of the notation: `ALL`, `Display`, `FromStr` and serde from one list.
macro_rules! word_enum {
    ($type:ident, $error:ident, $what:literal, { $($variant:ident => $word:literal),+ $(,)? }) => {
        impl $type {
            /// Every variant, in the order of the documentation.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// The word for it in the notation.
            pub const fn word(self) -> &'static str {
                match self { $(Self::$variant => $word),+ }
            }
        }

        impl std::fmt::Display for $type {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.word())
            }
        }

        #[doc = concat!("The text is not ", $what, ".")]
        #[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
        #[error("{} is not {}: use one of {}", crate::text::quote(.text), $what, Self::words())]
        pub struct $error {
            text: String,
        }

        impl $error {
            fn words() -> String {
                <$type>::ALL.iter().map(|variant| variant.word()).collect::<Vec<_>>().join(", ")
            }
        }

        impl std::str::FromStr for $type {
            type Err = $error;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                <$type>::ALL
                    .iter()
                    .copied()
                    .find(|variant| variant.word().eq_ignore_ascii_case(text))
                    .ok_or_else(|| $error { text: text.chars().take(64).collect() })
            }
        }

        crate::text::serde_by_notation!($type);
    };
}
pub(crate) use word_enum;

#[cfg(test)]
mod tests {
    use super::quote;

    #[test]
    fn a_quotation_is_short_and_has_no_control_characters() {
        assert_eq!(quote("A1"), "‘A1’");
        assert_eq!(quote("a\0b\n"), "‘a\\0b\\n’");
        assert!(quote(&"x".repeat(10_000_000)).len() < 100);
    }
}
