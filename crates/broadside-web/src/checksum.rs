//! Checksums of what is stored.

/// A checksum that every changed byte changes: FNV-1a, each of whose steps can be undone. It is no protection from people.
pub(crate) struct Checksum(u64);

impl Default for Checksum {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Checksum {
    /// Adds a part, which may be missing.
    pub(crate) fn add(&mut self, part: Option<&[u8]>) {
        let length = part.map_or(u64::MAX, |part| part.len() as u64);
        for byte in length.to_le_bytes().iter().chain(part.unwrap_or_default()) {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }

    pub(crate) fn value(&self) -> i64 {
        self.0.cast_signed()
    }
}
