//! The GPU, as commands use it; in a program built without it, how to build one with it.

#[cfg(feature = "gpu")]
use broadside_odds::gpu::{AdapterChoice, Gpu, GpuError};

#[cfg(feature = "gpu")]
use crate::exit::Failure;

/// Which GPU to use.
#[cfg(feature = "gpu")]
#[derive(clap::Args)]
pub(crate) struct AdapterOption {
    /// GPU for the engine gpu: ‘fastest’, ‘software’, or a part of its name as ‘broadside gpu’ lists it
    #[arg(long, value_name = "NAME", default_value = "fastest")]
    adapter: String,
}

/// The program was built without the GPU.
#[cfg(not(feature = "gpu"))]
#[derive(Debug, thiserror::Error)]
#[error("this program was built without the GPU: use ‘cargo run --release --features gpu -- …’ in the source folder")]
pub(crate) struct MissingError;

/// The GPU can't be opened.
#[cfg(feature = "gpu")]
#[derive(Debug, thiserror::Error)]
#[error("can't use the GPU ‘{adapter}’: ‘broadside gpu’ lists those there are, and --engine transfer needs none")]
struct OpenError {
    adapter: String,
    source: GpuError,
}

#[cfg(feature = "gpu")]
impl AdapterOption {
    /// Opens the adapter.
    pub(crate) fn open(&self) -> Result<Gpu, Failure> {
        let Ok(choice) = self.adapter.parse::<AdapterChoice>();
        let opened = Gpu::open(&choice, None);
        opened.map_err(|source| Failure::no_answer(OpenError { adapter: self.adapter.clone(), source }))
    }
}
