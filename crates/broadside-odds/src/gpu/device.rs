//! An adapter opened for work: the shader's programs, and one dispatch after the other.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::channel;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use wgpu::{
    BindGroup, BindGroupDescriptor, BindGroupEntry, BindGroupLayout, BindGroupLayoutDescriptor, BindGroupLayoutEntry,
    BindingType, Buffer, BufferBindingType, BufferDescriptor, BufferUsages, ComputePipeline, ComputePipelineDescriptor,
    DeviceDescriptor, Features, Limits, MapMode, PipelineLayoutDescriptor, PollType, ShaderModuleDescriptor, ShaderSource,
    ShaderStages,
};

use super::dispatch::{ITEMS_AT_ONCE, ITEMS_PER_SUM, Packed, Sums};
use super::placements::CELLS;
use super::{AdapterChoice, GpuError, Integers, adapter};

/// Words of the largest set of placements: two for each cell.
const WORDS: usize = 2 * CELLS / 32;

/// The first buffers of the shader are only read.
const READ: u32 = 4;

pub(super) struct Device {
    inner: wgpu::Device,
    queue: wgpu::Queue,
    pub(super) adapter: adapter::Adapter,
    pub(super) integers: Integers,
    bindings: BindGroupLayout,
    /// By the number of words of a set, less one; made when they are first asked for.
    programs: [OnceLock<Programs>; WORDS],
    fault: Fault,
}

/// The three parts of a dispatch.
struct Programs {
    list: ComputePipeline,
    fold: ComputePipeline,
    gather: ComputePipeline,
}

/// What went wrong first, reported from wherever it happened.
#[derive(Clone, Default)]
struct Fault(Arc<Mutex<Option<GpuError>>>);

impl Fault {
    fn report(&self, error: GpuError) {
        let mut reported = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        // A lost device refuses everything, and may say so before it says that it is lost.
        if reported.is_none() || error == GpuError::Lost {
            *reported = Some(error);
        }
    }

    fn check(&self) -> Result<(), GpuError> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).map_or(Ok(()), Err)
    }
}

impl Device {
    pub(super) fn open(choice: &AdapterChoice, integers: Option<Integers>) -> Result<Self, GpuError> {
        let (found, adapter) = adapter::choose(choice)?;
        let integers = integers.unwrap_or(if adapter.int64 { Integers::Native } else { Integers::Pairs });
        if integers == Integers::Native && !adapter.int64 {
            return Err(GpuError::NoInt64);
        }
        let required_features = if integers == Integers::Native { Features::SHADER_INT64 } else { Features::empty() };
        let wanted = DeviceDescriptor { required_features, required_limits: Limits::default(), ..DeviceDescriptor::default() };
        let (device, queue) = pollster::block_on(found.request_device(&wanted)).map_err(|_| GpuError::Refused)?;
        let fault = Fault::default();
        let (lost, failed) = (fault.clone(), fault.clone());
        device.set_device_lost_callback(move |_, _| lost.report(GpuError::Lost));
        device.on_uncaptured_error(Arc::new(move |error| {
            failed.report(if matches!(error, wgpu::Error::OutOfMemory { .. }) {
                GpuError::OutOfMemory
            } else {
                GpuError::Refused
            });
        }));
        let bindings = bindings(&device);
        Ok(Self { inner: device, queue, adapter, integers, bindings, programs: Default::default(), fault })
    }

    /// Does a dispatch.
    pub(super) fn run(&self, packed: &Packed) -> Result<Sums, GpuError> {
        if packed.segments.is_empty() {
            return Ok(Sums { uses: Vec::new(), totals: Vec::new() });
        }
        let read = [
            self.filled(bytemuck::cast_slice(&packed.tables)),
            self.filled(bytemuck::cast_slice(&packed.items)),
            self.filled(bytemuck::cast_slice(&packed.segments)),
            self.filled(bytemuck::cast_slice(&packed.blocks)),
        ];
        let results = BufferUsages::STORAGE | BufferUsages::COPY_SRC;
        let entries = self.blank(4 * packed.entries, BufferUsages::STORAGE);
        let [uses, totals] = [8 * packed.uses, 4 * packed.totals].map(|bytes| self.blank(bytes, results));
        let bound = self.bound(read.iter().chain([&entries, &uses, &totals]));
        let found =
            [&uses, &totals].map(|buffer| self.blank(buffer.size() as usize, BufferUsages::COPY_DST | BufferUsages::MAP_READ));
        let mut commands = self.inner.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        self.record(&mut commands, packed, &bound);
        for (from, to) in [&uses, &totals].into_iter().zip(&found) {
            commands.copy_buffer_to_buffer(from, 0, to, 0, from.size());
        }
        self.queue.submit([commands.finish()]);
        let [uses, totals] = self.read(&found)?;
        Ok(Sums { uses: bytemuck::pod_collect_to_vec(&uses), totals: bytemuck::pod_collect_to_vec(&totals) })
    }

    fn record(&self, commands: &mut wgpu::CommandEncoder, packed: &Packed, bound: &BindGroup) {
        let programs = self.programs[packed.words - 1].get_or_init(|| self.programs(packed.words));
        let mut pass = commands.begin_compute_pass(&wgpu::ComputePassDescriptor::default());
        pass.set_bind_group(0, bound, &[]);
        pass.set_pipeline(&programs.list);
        pass.dispatch_workgroups(packed.blocks.len() as u32, 1, 1);
        let segments = packed.segments.len() as u32;
        pass.set_pipeline(&programs.fold);
        pass.dispatch_workgroups(segments, packed.pieces as u32, 1);
        pass.set_pipeline(&programs.gather);
        pass.dispatch_workgroups(segments, 1, 1);
    }

    /// A buffer with this in it. It is not mapped at creation, which would panic where there is no memory for it.
    fn filled(&self, contents: &[u8]) -> Buffer {
        let buffer = self.blank(contents.len(), BufferUsages::STORAGE | BufferUsages::COPY_DST);
        self.queue.write_buffer(&buffer, 0, contents);
        buffer
    }

    fn blank(&self, bytes: usize, usage: BufferUsages) -> Buffer {
        // Empty buffers can't be bound.
        let size = bytes.max(8) as u64;
        self.inner.create_buffer(&BufferDescriptor { label: None, size, usage, mapped_at_creation: false })
    }

    fn bound<'a>(&self, buffers: impl Iterator<Item = &'a Buffer>) -> BindGroup {
        let entries: Vec<BindGroupEntry> = (0..)
            .zip(buffers)
            .map(|(binding, buffer)| BindGroupEntry { binding, resource: buffer.as_entire_binding() })
            .collect();
        self.inner.create_bind_group(&BindGroupDescriptor { label: None, layout: &self.bindings, entries: &entries })
    }

    /// Waits for the work that fills the buffers, and reads them.
    fn read(&self, buffers: &[Buffer; 2]) -> Result<[Vec<u8>; 2], GpuError> {
        let (sender, mapped) = channel();
        for buffer in buffers {
            let sender = sender.clone();
            // The receiver is gone only when an error has been reported already.
            buffer.map_async(MapMode::Read, .., move |result| sender.send(result.is_ok()).unwrap_or_default());
        }
        // wgpu panics when the device is lost while it is waited for: here that is an error like others.
        let waited = catch_unwind(AssertUnwindSafe(|| self.inner.poll(PollType::wait_indefinitely())));
        if !matches!(waited, Ok(Ok(_))) {
            self.fault.report(GpuError::Lost);
        }
        self.fault.check()?;
        if !mapped.try_iter().take(2).all(|done| done) {
            return Err(GpuError::Lost);
        }
        let contents = |buffer: &Buffer| buffer.get_mapped_range(..).map(|view| view.to_vec()).map_err(|_| GpuError::Lost);
        Ok([contents(&buffers[0])?, contents(&buffers[1])?])
    }

    fn programs(&self, words: usize) -> Programs {
        let source = ShaderSource::Wgsl(source(words, self.integers).into());
        let module = self.inner.create_shader_module(ShaderModuleDescriptor { label: None, source });
        let bind_group_layouts = &[Some(&self.bindings)];
        let layout = PipelineLayoutDescriptor { label: None, bind_group_layouts, immediate_size: 0 };
        let layout = self.inner.create_pipeline_layout(&layout);
        let [list, fold, gather] = ["list", "fold", "gather"].map(|entry| {
            self.inner.create_compute_pipeline(&ComputePipelineDescriptor {
                label: Some(entry),
                layout: Some(&layout),
                module: &module,
                entry_point: Some(entry),
                compilation_options: wgpu::PipelineCompilationOptions::default(),
                cache: None,
            })
        });
        Programs { list, fold, gather }
    }
}

fn bindings(device: &wgpu::Device) -> BindGroupLayout {
    let entry = |binding| BindGroupLayoutEntry {
        binding,
        visibility: ShaderStages::COMPUTE,
        ty: BindingType::Buffer {
            ty: BufferBindingType::Storage { read_only: binding < READ },
            has_dynamic_offset: false,
            min_binding_size: None,
        },
        count: None,
    };
    let entries: Vec<BindGroupLayoutEntry> = (0..READ + 3).map(entry).collect();
    device.create_bind_group_layout(&BindGroupLayoutDescriptor { label: None, entries: &entries })
}

/// The shader for sets of so many words.
fn source(words: usize, integers: Integers) -> String {
    let counts = match integers {
        Integers::Native => include_str!("native.wgsl"),
        Integers::Pairs => include_str!("pairs.wgsl"),
    };
    let lines = include_str!("listing.wgsl").lines();
    let lines = lines.flat_map(|line| copies(line, '$', ITEMS_AT_ONCE)).flat_map(|line| copies(&line, '#', words));
    format!(
        "{counts}\nconst WORDS = {words}u;\nconst ITEMS_AT_ONCE = {ITEMS_AT_ONCE}u;\nconst ITEMS_PER_SUM = {ITEMS_PER_SUM}u;\n{}",
        lines.collect::<Vec<_>>().join("\n")
    )
}

/// The line, or as many as asked for with their numbers in place of the sign.
fn copies(line: &str, sign: char, count: usize) -> Vec<String> {
    let count = if line.contains(sign) { count } else { 1 };
    (0..count).map(|number| line.replace(sign, &number.to_string())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn software(integers: Integers) -> Device {
        Device::open(&AdapterChoice::Software, Some(integers)).expect("a software adapter: install mesa-vulkan-drivers")
    }

    /// One placement of a, 256 of b and of c, all of which go together, and so many items.
    fn all_open(items: usize) -> Packed {
        let words = 8;
        let segment = [1, 256, items, 0, 0, 0, 0, 0, words, 2 * words, 0, 0, 0, items].map(|word| word as u32);
        Packed {
            words,
            tables: vec![u32::MAX; 256 * words],
            items: vec![u32::MAX; items * 3 * words],
            segments: vec![segment],
            blocks: (0..items / ITEMS_AT_ONCE).step_by(64).map(|first| [0, first as u32]).collect(),
            pieces: items.div_ceil(ITEMS_PER_SUM),
            entries: items + items.div_ceil(ITEMS_PER_SUM),
            uses: 1,
            totals: items,
            ..Packed::default()
        }
    }

    #[test]
    fn sums_carry_past_32_bits() {
        // Each item has 256 times 256 ways, so 65536 items have 2^32, and these are some more.
        let items = 65_544;
        for integers in [Integers::Native, Integers::Pairs] {
            let sums = software(integers).run(&all_open(items)).expect("the device works");
            assert_eq!(sums.uses, [items as u64 * 65_536], "{integers:?}");
            assert!(sums.totals.iter().all(|&total| total == 65_536));
        }
    }

    #[test]
    fn a_lost_device_is_an_error_then_and_later() {
        let device = software(Integers::Pairs);
        assert!(device.run(&all_open(ITEMS_AT_ONCE)).is_ok());
        device.inner.destroy();
        for _ in 0..2 {
            assert_eq!(device.run(&all_open(ITEMS_AT_ONCE)).map(|_| ()), Err(GpuError::Lost));
        }
    }

    #[test]
    fn a_buffer_that_is_too_large_is_an_error() {
        let device = software(Integers::Pairs);
        let packed = Packed { entries: 1_usize.checked_shl(40).unwrap_or(usize::MAX / 8), ..all_open(ITEMS_AT_ONCE) };
        assert!(device.run(&packed).is_err());
    }
}
