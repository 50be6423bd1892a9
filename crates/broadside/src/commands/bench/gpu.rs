//! The rows of a GPU in `broadside bench odds`: the empty board, and many logs in one batch, each beside the transfer engine.

use std::io::{self, Write};

use broadside_odds::gpu::{AdapterKind, Gpu, Integers};
use broadside_odds::{Budget, Counts, OutOfReach, Transfer};
use broadside_rules::ShotLog;
use serde::Serialize;

use super::measure::{micros, timed};
use crate::exit::Failure;
use crate::gpu::AdapterOption;

/// How many logs are in the batch: those of the last group in turn, each counted as if it were the only one.
const LOGS: usize = 2000;

#[derive(Serialize)]
pub(super) struct Rows {
    adapter: String,
    backend: String,
    /// Whether the GPU is a program on the CPU.
    software: bool,
    native_integers: bool,
    /// Left out with --quick.
    empty_us: Option<f64>,
    empty_transfer_us: Option<f64>,
    batch_logs: usize,
    batch_positions: String,
    batch_us: f64,
    batch_transfer_us: f64,
}

/// The rows, or none where there is no GPU, nor one in software.
pub(super) fn rows(
    adapter: &AdapterOption,
    groups: &[(String, Vec<ShotLog>)],
    transfer: &mut Transfer,
    quick: bool,
) -> Result<Option<Rows>, Failure> {
    if broadside_odds::gpu::adapters().is_empty() {
        return Ok(None);
    }
    let gpu = adapter.open()?;
    let [(_, first), .., (positions, last)] = groups else { return Ok(None) };
    let batch: Vec<ShotLog> = last.iter().cycle().take(LOGS).cloned().collect();
    // Programs for a size of sets are compiled when it is first met; the first run is for that.
    measure(&gpu, &batch[..last.len()], transfer)?;
    let (batch_us, batch_transfer_us) = measure(&gpu, &batch, transfer)?;
    let empty = (!quick).then(|| measure(&gpu, first, transfer)).transpose()?;
    Ok(Some(Rows {
        adapter: gpu.adapter().name.clone(),
        backend: gpu.adapter().backend.clone(),
        software: gpu.adapter().kind == AdapterKind::Software,
        native_integers: gpu.integers() == Integers::Native,
        empty_us: empty.map(|(gpu, _)| gpu),
        empty_transfer_us: empty.map(|(_, transfer)| transfer),
        batch_logs: batch.len(),
        batch_positions: positions.clone(),
        batch_us,
        batch_transfer_us,
    }))
}

/// The times of the GPU and of the transfer engine on one thread, which must agree.
fn measure(gpu: &Gpu, logs: &[ShotLog], transfer: &mut Transfer) -> Result<(f64, f64), Failure> {
    let (gpu_time, counts) = timed(|| gpu.count_many(logs, Budget::default()));
    let (transfer_time, known) =
        timed(|| logs.iter().map(|log| transfer.count(log)).collect::<Vec<Result<Counts, OutOfReach>>>());
    assert_eq!(counts.map_err(Failure::no_answer)?, known, "gpu and transfer agree");
    Ok((micros(gpu_time), micros(transfer_time)))
}

pub(super) fn write_text(out: &mut dyn Write, rows: Option<&Rows>) -> io::Result<()> {
    let Some(rows) = rows else { return writeln!(out, "\ngpu: none, nor one in software") };
    let software = if rows.software { " (SOFTWARE, on the CPU)" } else { "" };
    let integers = if rows.native_integers { "64-bit integers" } else { "pairs of 32-bit words" };
    writeln!(out, "\ngpu{software}: {}, {}, {integers}", rows.adapter, rows.backend)?;
    if let Some((gpu, transfer)) = rows.empty_us.zip(rows.empty_transfer_us) {
        write_row(out, "empty board", gpu, transfer)?;
    }
    write_row(
        out,
        &format!("{} logs {} in one batch", rows.batch_logs, rows.batch_positions),
        rows.batch_us,
        rows.batch_transfer_us,
    )
}

fn write_row(out: &mut dyn Write, what: &str, gpu: f64, transfer: f64) -> io::Result<()> {
    let (gpu_ms, transfer_ms, ratio) = (gpu / 1e3, transfer / 1e3, gpu / transfer);
    writeln!(out, "  {what}: {gpu_ms:.0} ms; transfer on one thread: {transfer_ms:.1} ms; {ratio:.1} times as long")
}
