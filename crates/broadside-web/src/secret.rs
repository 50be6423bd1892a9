//! Random ids and tokens, and how tokens are compared.

use broadside_captains::GameRng;
use broadside_lab::hex;
use rand::SeedableRng;
use sha2::{Digest, Sha256};
use subtle::{Choice, ConstantTimeEq};

/// A random id of 128 bits: of a game, a replay, an invitation.
pub(crate) fn random_id() -> String {
    hex(&random::<16>())
}

/// A random token of 256 bits.
pub(crate) fn random_token() -> String {
    hex(&random::<32>())
}

/// The SHA-256 of a token or an invitation. Only hashes are stored, so reading the database gives nobody a player's token.
#[derive(Clone, Copy)]
pub(crate) struct SecretHash([u8; 32]);

impl SecretHash {
    pub(crate) fn new(secret: &str) -> Self {
        Self(Sha256::digest(secret).into())
    }

    pub(crate) fn from_bytes(bytes: &[u8]) -> Option<Self> {
        bytes.try_into().ok().map(Self)
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        &self.0
    }

    /// Whether the two are equal, in constant time.
    pub(crate) fn matches(self, other: Self) -> Choice {
        self.0.ct_eq(&other.0)
    }
}

/// A random generator seeded by the system, independent of every other one.
pub(crate) fn rng() -> GameRng {
    GameRng::from_seed(random())
}

fn random<const N: usize>() -> [u8; N] {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).expect("the system has random numbers");
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_and_tokens_are_long_and_never_the_same() {
        assert_eq!((random_id().len(), random_token().len()), (32, 64));
        assert_ne!(random_id(), random_id());
    }

    #[test]
    fn only_the_same_token_matches() {
        let [one, other] = [random_token(), random_token()];
        assert!(bool::from(SecretHash::new(&one).matches(SecretHash::new(&one))));
        assert!(!bool::from(SecretHash::new(&one).matches(SecretHash::new(&other))));
    }
}
