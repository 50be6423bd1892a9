//! The instructions that the row sweep is compiled for.

/// Instructions for numbers in vectors. All give the same integers; they differ in speed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum InstructionSet {
    /// What every processor of the kind has, without products and sums in one instruction.
    Portable,
    /// Of 64-bit ARM.
    Neon,
    /// Of x86-64, in 256 bits.
    Avx2,
    /// Of x86-64, in 512 bits.
    Avx512,
}

impl InstructionSet {
    /// Those that this processor has, the fastest first.
    ///
    /// ```
    /// use broadside_odds::InstructionSet;
    /// assert!(InstructionSet::available().contains(&InstructionSet::Portable));
    /// ```
    pub fn available() -> Vec<Self> {
        [Self::Avx2, Self::Avx512, Self::Neon, Self::Portable].into_iter().filter(|set| set.is_available()).collect()
    }

    /// The fastest that this processor has.
    pub fn fastest() -> Self {
        Self::available()[0]
    }

    /// Whether this processor has them.
    pub fn is_available(self) -> bool {
        match self {
            Self::Portable => true,
            Self::Neon => cfg!(target_arch = "aarch64"),
            #[cfg(target_arch = "x86_64")]
            Self::Avx2 => pulp::x86::V3::try_new().is_some(),
            #[cfg(target_arch = "x86_64")]
            Self::Avx512 => pulp::x86::V4::try_new().is_some(),
            #[cfg(not(target_arch = "x86_64"))]
            Self::Avx2 | Self::Avx512 => false,
        }
    }

    /// Whether they multiply and add in one instruction.
    pub(super) fn is_fused(self) -> bool {
        self != Self::Portable
    }

    /// Runs work that was compiled for these instructions.
    ///
    /// # Panics
    /// When this processor doesn't have them.
    #[cfg(target_arch = "x86_64")]
    pub(super) fn run(self, work: impl pulp::NullaryFnOnce<Output = ()>) {
        let missing = "only instructions that the processor has are chosen";
        match self {
            Self::Avx512 => pulp::Simd::vectorize(pulp::x86::V4::try_new().expect(missing), work),
            _ => pulp::Simd::vectorize(pulp::x86::V3::try_new().expect(missing), work),
        }
    }

    /// Runs work; the instructions are those of every such processor.
    #[cfg(not(target_arch = "x86_64"))]
    pub(super) fn run(self, work: impl pulp::NullaryFnOnce<Output = ()>) {
        work.call();
    }
}
