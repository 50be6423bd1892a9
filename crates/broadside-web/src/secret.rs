//! Names that nobody can guess, and their comparison.

use std::fmt::Write;

use broadside_captains::GameRng;
use rand::SeedableRng;
use sha2::{Digest, Sha256};
use subtle::{Choice, ConstantTimeEq};

/// A random name of 128 bits: of a game, a replay, an invitation.
pub(crate) fn name() -> String {
    hex(&random::<16>())
}

/// A random token of 256 bits.
pub(crate) fn token() -> String {
    hex(&random::<32>())
}

/// What is kept of a token or an invitation: whoever reads the database can't act for a player.
#[derive(Clone, Copy)]
pub(crate) struct Fingerprint([u8; 32]);

impl Fingerprint {
    pub(crate) fn of(secret: &str) -> Self {
        Self(Sha256::digest(secret).into())
    }

    pub(crate) fn from_bytes(bytes: &[u8]) -> Option<Self> {
        bytes.try_into().ok().map(Self)
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        &self.0
    }

    /// Whether they are the same, in a time that doesn't tell how much of them is.
    pub(crate) fn matches(self, other: Self) -> Choice {
        self.0.ct_eq(&other.0)
    }
}

/// A generator that has nothing to do with any other: what one shows tells nothing of the rest.
pub(crate) fn lots() -> GameRng {
    GameRng::from_seed(random())
}

fn random<const N: usize>() -> [u8; N] {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).expect("the system has random numbers");
    bytes
}

/// Bytes as text.
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        write!(text, "{byte:02x}").expect("text can be written to");
        text
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_tokens_are_long_and_never_the_same() {
        assert_eq!((name().len(), token().len()), (32, 64));
        assert_ne!(name(), name());
        assert_eq!(hex(&[0, 1, 0xab]), "0001ab");
    }

    #[test]
    fn only_the_same_token_matches() {
        let [one, other] = [token(), token()];
        assert!(bool::from(Fingerprint::of(&one).matches(Fingerprint::of(&one))));
        assert!(!bool::from(Fingerprint::of(&one).matches(Fingerprint::of(&other))));
    }
}
