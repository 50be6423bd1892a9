//! The end of what a bot writes to standard error.

/// So many bytes are kept.
const KEPT: usize = 1 << 14;

/// The last bytes of a stream, and how many there were.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tail {
    bytes: Vec<u8>,
    total: u64,
}

impl Tail {
    /// Adds bytes, and forgets the oldest where there are too many.
    pub(crate) fn add(&mut self, bytes: &[u8]) {
        self.total += bytes.len() as u64;
        self.bytes.extend_from_slice(bytes);
        if self.bytes.len() > 2 * KEPT {
            self.bytes.drain(..self.bytes.len() - KEPT);
        }
    }

    /// Adds all of another.
    pub(crate) fn append(&mut self, other: &Self) {
        let before = self.total + other.total;
        self.add(&other.bytes);
        self.total = before;
    }

    /// Whether nothing was written.
    pub fn is_empty(&self) -> bool {
        self.total == 0
    }

    /// What is kept, as text, after a line on what is not.
    pub fn text(&self) -> String {
        let kept = &self.bytes[self.bytes.len().saturating_sub(KEPT)..];
        let lost = self.total - kept.len() as u64;
        let head = if lost > 0 { format!("[{lost} bytes before this are not kept]\n") } else { String::new() };
        head + &String::from_utf8_lossy(kept)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_is_kept_and_the_rest_is_counted() {
        let mut tail = Tail::default();
        assert!(tail.is_empty() && tail.text().is_empty());
        for _ in 0..100 {
            tail.add(&[b'x'; 1000]);
        }
        tail.add(b"the end");
        let text = tail.text();
        assert!(text.starts_with("[83623 bytes before this are not kept]\nxxx") && text.ends_with("the end"));
        assert!(tail.bytes.len() <= 2 * KEPT);
    }
}
