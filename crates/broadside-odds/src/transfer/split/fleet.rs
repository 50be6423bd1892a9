//! "How many of each length are used": the exponents of the row polynomials.

/// All the ways to have used part of a fleet, numbered so that fewer ships come first.
///
/// A polynomial over the fleet is a slice with one coefficient per [`Parts`] index; index 0 is
/// the empty part and the last index is the whole fleet. Because the numbering is by number of
/// ships, "at most k ships" is a prefix, see [`Parts::within`].
#[derive(Debug)]
pub(crate) struct Parts {
    /// Number of parts.
    pub(crate) len: usize,
    /// Per part: the ships of each class.
    pub(crate) list: Vec<Vec<usize>>,
    /// Per class: the part that is one ship of it, if there is one.
    single: Vec<Option<u16>>,
    /// `[class][part]`: the part with one more ship of the class, 0 if there is none.
    next: Vec<u16>,
    /// Per part `m`: the pairs (part `v`, part `v + m`), by rising number of ships.
    pub(crate) sums: Vec<Vec<(u16, u16)>>,
}

/// The largest number of pairs of parts that is worth a table.
const MOST_SUMS: usize = 4_000_000;
/// Parts are numbered in 16 bits.
const MOST_PARTS: usize = 1 << 16;

impl Parts {
    /// Numbers the parts of a fleet with these ships per class; `None` if there are too many.
    #[must_use]
    pub(crate) fn new(counts: &[usize]) -> Option<Self> {
        let parts = counts.iter().try_fold(1_usize, |n, &c| n.checked_mul(c + 1))?;
        let sums = counts.iter().try_fold(1_usize, |n, &c| n.checked_mul((c + 1) * (c + 2) / 2))?;
        (parts <= MOST_PARTS && sums <= MOST_SUMS).then(|| Self::build(counts, parts))
    }

    fn build(counts: &[usize], len: usize) -> Self {
        let mut parts: Vec<Vec<usize>> = (0..len).map(|code| decode(counts, code)).collect();
        parts.sort_by_key(|part| part.iter().sum::<usize>());
        let mut number = vec![0_u16; len];
        for (index, part) in (0_u16..=u16::MAX).zip(&parts) {
            number[encode(counts, part)] = index;
        }
        let sums: Vec<Vec<_>> = parts.iter().map(|m| sums_with(counts, &parts, &number, m)).collect();
        let one = |class| (0..counts.len()).map(|c| usize::from(c == class)).collect::<Vec<_>>();
        let single: Vec<_> =
            (0..counts.len()).map(|class| (counts[class] > 0).then(|| number[encode(counts, &one(class))])).collect();
        let next = next_of(&single, &sums);
        Parts { len, list: parts, single, next, sums }
    }

    /// The pairs (part, part with one more ship of the class).
    #[must_use]
    #[inline]
    pub(crate) fn grown(&self, class: usize) -> &[(u16, u16)] {
        self.single[class].map_or(&[], |part| &self.sums[usize::from(part)])
    }

    /// The part that joins `m` and one more ship of the class, if the fleet has that many.
    #[must_use]
    #[inline(always)]
    pub(crate) fn grow(&self, m: usize, class: usize) -> Option<usize> {
        let grown = self.next[class * self.len + m];
        (grown != 0).then_some(usize::from(grown))
    }

    /// How many parts have at most `ships` ships.
    #[must_use]
    pub(crate) fn within(&self, ships: usize) -> usize {
        self.list.partition_point(|part| part.iter().sum::<usize>() <= ships)
    }
}

fn next_of(single: &[Option<u16>], sums: &[Vec<(u16, u16)>]) -> Vec<u16> {
    let mut next = vec![0; single.len() * sums.len()];
    for (class, part) in single.iter().enumerate() {
        for &(v, sum) in part.map_or(&[][..], |part| &sums[usize::from(part)]) {
            next[class * sums.len() + usize::from(v)] = sum;
        }
    }
    next
}

fn decode(counts: &[usize], mut code: usize) -> Vec<usize> {
    let mut digit = |&count: &usize| {
        let used = code % (count + 1);
        code /= count + 1;
        used
    };
    counts.iter().map(&mut digit).collect()
}

fn encode(counts: &[usize], part: &[usize]) -> usize {
    counts.iter().zip(part).rev().fold(0, |code, (count, used)| code * (count + 1) + used)
}

fn sums_with(counts: &[usize], parts: &[Vec<usize>], number: &[u16], m: &[usize]) -> Vec<(u16, u16)> {
    let add = |v: &Vec<usize>| -> Vec<usize> { v.iter().zip(m).map(|(a, b)| a + b).collect() };
    (0_u16..=u16::MAX)
        .zip(parts)
        .map(|(v, part)| (v, add(part)))
        .filter(|(_, sum)| sum.iter().zip(counts).all(|(used, count)| used <= count))
        .map(|(v, sum)| (v, number[encode(counts, &sum)]))
        .collect()
}
