//! The adapters of a machine, and which of them to use.

use std::fmt;
use std::str::FromStr;

use wgpu::{Backends, DeviceType, Features, Instance, Limits};

use super::GpuError;

/// An adapter and what it can do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Adapter {
    /// Its name.
    pub name: String,
    /// The interface that it is reached by: Vulkan, Metal or DirectX 12.
    pub backend: String,
    /// What it is.
    pub kind: AdapterKind,
    /// Its driver's name and version.
    pub driver: String,
    /// Whether it has 64-bit integers; if not, counts are kept in pairs of 32-bit words.
    pub int64: bool,
    /// The most bytes of one buffer that a shader can use.
    pub binding_bytes: u64,
    /// The most invocations of one workgroup.
    pub invocations: u32,
    /// Whether it has all that the engine needs.
    pub suitable: bool,
}

/// What an adapter is; the first is preferred.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum AdapterKind {
    /// A GPU with memory of its own.
    Discrete,
    /// A GPU that shares the memory of the CPU.
    Integrated,
    /// A GPU lent to a virtual machine.
    Virtual,
    /// Unknown.
    Other,
    /// A program that does a GPU's work on the CPU.
    Software,
}

impl AdapterKind {
    /// In a word.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Discrete => "discrete",
            Self::Integrated => "integrated",
            Self::Virtual => "virtual",
            Self::Other => "other",
            Self::Software => "software",
        }
    }
}

impl fmt::Display for AdapterKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.word())
    }
}

impl From<DeviceType> for AdapterKind {
    fn from(kind: DeviceType) -> Self {
        match kind {
            DeviceType::DiscreteGpu => Self::Discrete,
            DeviceType::IntegratedGpu => Self::Integrated,
            DeviceType::VirtualGpu => Self::Virtual,
            DeviceType::Cpu => Self::Software,
            DeviceType::Other => Self::Other,
        }
    }
}

/// Which adapter to use.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum AdapterChoice {
    /// The one that promises to be the fastest: discrete before integrated, and software last.
    #[default]
    Fastest,
    /// One in software, such as llvmpipe of Mesa.
    Software,
    /// One with this in its name, in upper or lower case.
    Named(String),
}

impl AdapterChoice {
    fn allows(&self, adapter: &Adapter) -> bool {
        match self {
            Self::Fastest => true,
            Self::Software => adapter.kind == AdapterKind::Software,
            Self::Named(name) => adapter.name.to_lowercase().contains(&name.to_lowercase()),
        }
    }
}

impl fmt::Display for AdapterChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Fastest => "fastest",
            Self::Software => "software",
            Self::Named(name) => name,
        })
    }
}

impl FromStr for AdapterChoice {
    type Err = std::convert::Infallible;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Ok(match text {
            "fastest" => Self::Fastest,
            "software" => Self::Software,
            name => Self::Named(name.to_owned()),
        })
    }
}

/// All adapters of this machine, the preferred ones first.
pub fn adapters() -> Vec<Adapter> {
    found().into_iter().map(|(_, adapter)| adapter).collect()
}

/// The adapter chosen.
pub(super) fn choose(choice: &AdapterChoice) -> Result<(wgpu::Adapter, Adapter), GpuError> {
    let mut found: Vec<_> = found().into_iter().filter(|(_, adapter)| adapter.suitable).collect();
    let some = !found.is_empty();
    found.retain(|(_, adapter)| choice.allows(adapter));
    found.into_iter().next().ok_or(if some { GpuError::NoSuchAdapter } else { GpuError::NoAdapter })
}

fn found() -> Vec<(wgpu::Adapter, Adapter)> {
    let found = pollster::block_on(Instance::default().enumerate_adapters(Backends::all()));
    let mut adapters: Vec<_> =
        found.into_iter().map(|found| (described(&found), found)).map(|(told, found)| (found, told)).collect();
    adapters.sort_by_key(|(_, adapter)| adapter.kind);
    adapters
}

fn described(adapter: &wgpu::Adapter) -> Adapter {
    let (info, limits) = (adapter.get_info(), adapter.limits());
    Adapter {
        name: info.name,
        backend: match info.backend {
            wgpu::Backend::Dx12 => "DirectX 12".to_owned(),
            backend => format!("{backend:?}"),
        },
        kind: info.device_type.into(),
        driver: format!("{} {}", info.driver, info.driver_info).trim().to_owned(),
        int64: adapter.features().contains(Features::SHADER_INT64),
        binding_bytes: limits.max_storage_buffer_binding_size,
        invocations: limits.max_compute_invocations_per_workgroup,
        suitable: Limits::default().check_limits(&limits),
    }
}
