// y = softmax(x / temperature) in float32 along the middle one of three dimensions: a workgroup of 64 a lane.
// WebGPU promises exp to 3 + 2|x| units in the last place only, so exponentials are computed here, to two; and since it
// lets compilers forget NaN and infinities, these are told apart by their bits.
// fault_… are kernels that are wrong on purpose where one is true: Assay's tests hold that each is caught.
const fault_lost_tail = false;
const fault_no_maximum = false;

struct Problem {
  input_offset: i32, input_0: i32, input_1: i32, input_2: i32,
  output_offset: i32, output_0: i32, output_1: i32, output_2: i32,
  length: i32, inner: i32, temperature: f32,
}

@group(0) @binding(0) var<storage, read> x: array<u32>;
@group(0) @binding(1) var<storage, read_write> y: array<u32>;
@group(1) @binding(0) var<uniform> p: Problem;

var<workgroup> partial: array<f32, 64>;
var<workgroup> not_finite: atomic<u32>;
var<workgroup> numbers: atomic<u32>;

const infinity_bits = 0x7F800000u;
const minus_infinity_bits = 0xFF800000u;
const nan_bits = 0x7FC00000u;
const least = -3.40282347e38;

fn exponential(t: f32) -> f32 {
  if (t < -104.0) { return 0.0; }
  let n = round(t * 1.44269504);
  let r = fma(-n, -2.12194440e-4, fma(-n, 0.693359375, t));
  var s = 1.9875691500e-4;
  s = fma(s, r, 1.3981999507e-3);
  s = fma(s, r, 8.3334519073e-3);
  s = fma(s, r, 4.1665795894e-2);
  s = fma(s, r, 1.6666665459e-1);
  s = fma(s, r, 5.0000001201e-1);
  let e = fma(s * r, r, r) + 1.0;
  let first = i32(n) / 2;
  let second = i32(n) - first;  // each a normal power of two
  return e * bitcast<f32>(u32(first + 127) << 23u) * bitcast<f32>(u32(second + 127) << 23u);
}

@compute @workgroup_size(64)
fn softmax(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_id) local: vec3u) {
  let lane = i32(group.x);
  let id = i32(local.x);
  let begin = p.input_offset + lane / p.inner * p.input_0 + lane % p.inner * p.input_2;
  let to = p.output_offset + lane / p.inner * p.output_0 + lane % p.inner * p.output_2;
  if (id == 0) {  // as WGSL does by itself, but not wgpu-native 29 on lavapipe 22.3.6
    atomicStore(&not_finite, 0u);
    atomicStore(&numbers, 0u);
  }
  workgroupBarrier();
  var own = least;
  for (var i = id; i < p.length; i += 64) {
    let bits = x[begin + i * p.input_1];
    if ((bits & 0x7FFFFFFFu) > infinity_bits || bits == infinity_bits) {
      atomicStore(&not_finite, 1u);
    } else if (bits != minus_infinity_bits) {
      own = max(own, bitcast<f32>(bits) / p.temperature);
      atomicStore(&numbers, 1u);
    }
  }
  partial[id] = own;
  workgroupBarrier();
  for (var step = 32; step > 0; step /= 2) {
    if (id < step) { partial[id] = max(partial[id], partial[id + step]); }
    workgroupBarrier();
  }
  var maximum = partial[0];
  workgroupBarrier();
  if (fault_no_maximum) { maximum = 0.0; }
  var sum = 0.0;
  let seen = select(p.length, p.length / 64 * 64, fault_lost_tail);
  for (var i = id; i < seen; i += 64) {
    let bits = x[begin + i * p.input_1];
    if (bits != minus_infinity_bits) { sum += exponential(bitcast<f32>(bits) / p.temperature - maximum); }
  }
  partial[id] = sum;
  workgroupBarrier();
  for (var step = 32; step > 0; step /= 2) {
    if (id < step) { partial[id] += partial[id + step]; }
    workgroupBarrier();
  }
  sum = partial[0];
  let is_nan = atomicLoad(&not_finite) != 0u || atomicLoad(&numbers) == 0u;
  for (var i = id; i < p.length; i += 64) {
    let bits = x[begin + i * p.input_1];
    var value = 0u;
    if (is_nan) {
      value = nan_bits;
    } else if (bits != minus_infinity_bits) {
      value = bitcast<u32>(exponential(bitcast<f32>(bits) / p.temperature - maximum) / sum);
    }
    y[to + i * p.output_1] = value;
  }
}
