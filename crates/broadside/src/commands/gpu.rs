//! `broadside gpu`: the adapters that the engine gpu could use.

#[cfg(not(feature = "gpu"))]
use crate::exit::{Failure, Outcome};

/// List the GPUs of this machine, and what they can do
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
// Without the GPU there is one answer, whatever the options.
#[cfg_attr(not(feature = "gpu"), command(ignore_errors = true))]
pub(crate) struct Args {
    #[cfg(feature = "gpu")]
    #[command(flatten)]
    format: crate::options::FormatOption,
}

const EXAMPLES: &str = "\
Examples:
  broadside gpu                                  the adapters, the preferred one first
  broadside odds --engine gpu                    count on it
  broadside odds --engine gpu --adapter software

Exit status: 0 done; 1 there is no GPU, nor one in software; 2 the program was built without the GPU.";

#[cfg(not(feature = "gpu"))]
pub(crate) fn run(_: &Args) -> Result<Outcome, Failure> {
    Err(Failure::bad_request(crate::gpu::MissingError))
}

#[cfg(feature = "gpu")]
pub(crate) use listing::run;

#[cfg(feature = "gpu")]
mod listing {
    use std::io::{self, Write};

    use broadside_odds::gpu::{Adapter, GpuError, adapters};
    use serde::Serialize;

    use super::Args;
    use crate::exit::{Failure, Outcome};
    use crate::output;

    #[derive(Serialize)]
    struct AdaptersJson {
        adapters: Vec<Described>,
    }

    #[derive(Serialize)]
    struct Described {
        name: String,
        backend: String,
        kind: &'static str,
        driver: String,
        int64: bool,
        binding_bytes: u64,
        workgroup: u32,
        suitable: bool,
    }

    pub(crate) fn run(args: &Args) -> Result<Outcome, Failure> {
        let adapters = adapters();
        if adapters.is_empty() {
            return Err(Failure::no_answer(GpuError::NoAdapter));
        }
        let text = |out: &mut dyn Write| adapters.iter().try_for_each(|adapter| write_text(out, adapter));
        output::print(args.format.format, text, || AdaptersJson { adapters: adapters.iter().cloned().map(described).collect() })
    }

    fn described(adapter: Adapter) -> Described {
        Described {
            name: adapter.name,
            backend: adapter.backend,
            kind: adapter.kind.word(),
            driver: adapter.driver,
            int64: adapter.int64,
            binding_bytes: adapter.binding_bytes,
            workgroup: adapter.invocations,
            suitable: adapter.suitable,
        }
    }

    fn write_text(out: &mut dyn Write, adapter: &Adapter) -> io::Result<()> {
        let integers = if adapter.int64 { "yes" } else { "no, pairs of 32-bit words instead" };
        let verdict = if adapter.suitable { "can be used" } else { "lacks what the engine needs" };
        writeln!(out, "{}", adapter.name)?;
        writeln!(out, "  {}, {}; driver {}", adapter.backend, adapter.kind, adapter.driver)?;
        writeln!(out, "  64-bit integers: {integers}")?;
        let megabytes = adapter.binding_bytes >> 20;
        writeln!(out, "  buffers of up to {megabytes} MB, workgroups of up to {}: {verdict}", adapter.invocations)
    }
}
