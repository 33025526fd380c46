//! RMSNorm of f32 as a plugin, without a crate: the declarations of assay/plugin/plugin.h in Rust, and one kernel.
//!
//!     rustc --edition 2021 --crate-type cdylib -O plugin.rs -o librust.so && assay run --plugin ./librust.so

use std::ffi::{c_char, c_void, CStr};
use std::panic::catch_unwind;
use std::ptr::null;

#[repr(C)]
pub struct Array {
    data: *mut c_void,
    device_type: i32,
    device_id: i32,
    ndim: i32,
    code: u8,
    bits: u8,
    lanes: u16,
    shape: *const i64,
    strides: *const i64,
    byte_offset: u64,
}

#[repr(C)]
pub struct Tensor {
    size: u64,
    name: *const c_char,
    format: *const c_char,
    role: i32,
    reserved: i32,
    array: Array,
}

#[repr(C)]
pub struct Attribute {
    size: u64,
    name: *const c_char,
    kind: i32,
    reserved: i32,
    integer: i64,
    real: f64,
    text: *const c_char,
}

#[repr(C)]
pub struct Problem {
    size: u64,
    operation: *const c_char,
    name: *const c_char,
    formats: *const c_char,
    attribute_count: u64,
    attributes: *const *const Attribute,
    tensor_count: u64,
    tensors: *const *const Tensor,
}

#[repr(C)]
pub struct Launch {
    size: u64,
    workspace: *mut c_void,
    workspace_bytes: u64,
    stream: *mut c_void,
    message: *mut c_char,
    message_capacity: u64,
    managed: extern "C" fn(*const Launch, *const Tensor, i32) -> *mut c_void,
    host: *mut c_void,
}

#[repr(C)]
pub struct Kernel {
    size: u64,
    operation: *const c_char,
    context: *mut c_void,
    accumulator: *const c_char,
    function_errors: f64,
    truncating: i32,
    reserved: i32,
    block: i64,
    supports: Option<extern "C" fn(*mut c_void, *const Problem, *mut c_char, u64) -> i32>,
    workspace_bytes: Option<extern "C" fn(*mut c_void, *const Problem) -> u64>,
    run: Option<extern "C" fn(*mut c_void, *const Problem, *const Launch) -> i32>,
}

#[repr(C)]
pub struct Plugin {
    size: u64,
    abi: u32,
    flags: u32,
    name: *const c_char,
    version: *const c_char,
    kernel_count: u64,
    kernels: *const *const Kernel,
}

struct Shared<T>(T); // descriptions are never written, so any thread may read them
unsafe impl<T> Sync for Shared<T> {}

const OK: i32 = 0;
const ERROR: i32 = 2;

/// Copies a text, cut to the room that there is, with a NUL at its end.
fn say(text: &str, buffer: *mut c_char, capacity: u64) {
    let mut length = text.len().min(capacity.saturating_sub(1) as usize);
    while !text.is_char_boundary(length) {
        length -= 1;
    }
    if capacity > 0 {
        unsafe {
            std::ptr::copy_nonoverlapping(text.as_ptr().cast(), buffer, length);
            *buffer.add(length) = 0;
        }
    }
}

impl Problem {
    unsafe fn tensor(&self, name: &CStr) -> Option<&Array> {
        let tensors = std::slice::from_raw_parts(self.tensors, self.tensor_count as usize);
        let found = tensors.iter().find(|each| !each.is_null() && CStr::from_ptr((***each).name) == name);
        found.map(|each| &(**each).array)
    }
    unsafe fn real(&self, name: &CStr) -> f64 {
        let attributes = std::slice::from_raw_parts(self.attributes, self.attribute_count as usize);
        let found = attributes.iter().find(|each| CStr::from_ptr((***each).name) == name);
        (**found.expect("the problem has no such attribute")).real
    }
}

extern "C" fn supports(_: *mut c_void, problem: *const Problem, reason: *mut c_char, capacity: u64) -> i32 {
    let problem = unsafe { &*problem };
    let formats = unsafe { CStr::from_ptr(problem.formats) };
    if formats != c"f32.f32.f32" {
        say(&format!("rmsnorm is of f32 here; this is {}", formats.to_string_lossy()), reason, capacity);
        return 0;
    }
    if unsafe { problem.tensor(c"beta").is_some() || problem.tensor(c"saved_deviation").is_some() } {
        say("this rmsnorm has no beta and saves no statistics", reason, capacity);
        return 0;
    }
    1
}

unsafe fn rmsnorm(problem: &Problem) {
    let input = problem.tensor(c"input").expect("no input");
    let output = problem.tensor(c"output").expect("no output");
    let gamma = problem.tensor(c"gamma");
    let epsilon = problem.real(c"epsilon") as f32;
    let at = |array: &Array, row: i64, column: i64| {
        array.data.cast::<f32>().offset((row * *array.strides + column * *array.strides.add(1)) as isize)
    };
    let (rows, columns) = (*input.shape, *input.shape.add(1));
    for row in 0..rows {
        let squares: f32 = (0..columns).map(|column| (*at(input, row, column)).powi(2)).sum();
        let scale = 1.0 / (squares / columns as f32 + epsilon).sqrt();
        for column in 0..columns {
            let weight = gamma.map_or(1.0, |gamma| *gamma.data.cast::<f32>().offset((column * *gamma.strides) as isize));
            *at(output, row, column) = *at(input, row, column) * scale * weight;
        }
    }
}

/// A panic must not leave a call: it becomes an error of the case.
extern "C" fn run(_: *mut c_void, problem: *const Problem, launch: *const Launch) -> i32 {
    match catch_unwind(|| unsafe { rmsnorm(&*problem) }) {
        Ok(()) => OK,
        Err(panic) => {
            let text = panic.downcast_ref::<String>().cloned().or(panic.downcast_ref::<&str>().map(|text| text.to_string()));
            let launch = unsafe { &*launch };
            say(&text.unwrap_or("a panic".into()), launch.message, launch.message_capacity);
            ERROR
        }
    }
}

static RMSNORM: Shared<Kernel> = Shared(Kernel {
    size: size_of::<Kernel>() as u64,
    operation: c"rmsnorm".as_ptr(),
    context: std::ptr::null_mut(),
    accumulator: c"f32".as_ptr(),
    function_errors: 0.0,
    truncating: 0,
    reserved: 0,
    block: 0,
    supports: Some(supports),
    workspace_bytes: None,
    run: Some(run),
});
static KERNELS: Shared<[*const Kernel; 1]> = Shared([&RMSNORM.0]);
static PLUGIN: Shared<Plugin> = Shared(Plugin {
    size: size_of::<Plugin>() as u64,
    abi: 1 << 16,
    flags: 1, // calls may come from several threads at once
    name: c"rust".as_ptr(),
    version: c"1.0".as_ptr(),
    kernel_count: 1,
    kernels: KERNELS.0.as_ptr(),
});

#[no_mangle]
pub extern "C" fn assay_plugin_entry(host_abi: u32) -> *const Plugin {
    if host_abi >> 16 == 1 { &PLUGIN.0 } else { null() }
}
