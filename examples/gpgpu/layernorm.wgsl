// y = (x − μ)/√(σ² + ε)·gamma + beta of float32 rows, the variance found after the mean: a workgroup of 64 a row.
// fault_… are kernels that are wrong on purpose where one is true: Assay's tests hold that each is caught.
const fault_one_pass = false;
const fault_no_epsilon = false;

struct Problem {
  input_offset: i32, input_row: i32, gamma_offset: i32, beta_offset: i32, output_offset: i32, output_row: i32,
  mean_offset: i32, deviation_offset: i32, channels: i32, epsilon: f32,
  has_gamma: i32, has_beta: i32, save_mean: i32, save_deviation: i32, save_variance: i32,
}

@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read> gamma: array<f32>;
@group(0) @binding(2) var<storage, read> beta: array<f32>;
@group(0) @binding(3) var<storage, read_write> y: array<f32>;
@group(0) @binding(4) var<storage, read_write> saved_mean: array<f32>;
@group(0) @binding(5) var<storage, read_write> saved_deviation: array<f32>;
@group(1) @binding(0) var<uniform> p: Problem;

var<workgroup> partial: array<f32, 64>;

fn group_sum(id: i32, own: f32) -> f32 {
  partial[id] = own;
  workgroupBarrier();
  for (var step = 32; step > 0; step /= 2) {
    if (id < step) { partial[id] += partial[id + step]; }
    workgroupBarrier();
  }
  let all = partial[0];
  workgroupBarrier();
  return all;
}

@compute @workgroup_size(64)
fn layernorm(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_id) local: vec3u) {
  let row = i32(group.x);
  let id = i32(local.x);
  let begin = p.input_offset + row * p.input_row;
  let to = p.output_offset + row * p.output_row;
  let channels = f32(p.channels);
  var sum = 0.0;
  for (var i = id; i < p.channels; i += 64) { sum += x[begin + i]; }
  let mean = group_sum(id, sum) / channels;
  var squares = 0.0;
  for (var i = id; i < p.channels; i += 64) {
    let distance = x[begin + i] - select(mean, 0.0, fault_one_pass);
    squares += distance * distance;
  }
  var variance = group_sum(id, squares) / channels;
  if (fault_one_pass) { variance = max(variance - mean * mean, 0.0); }
  let inverse = inverseSqrt(variance + select(p.epsilon, 0.0, fault_no_epsilon));
  for (var i = id; i < p.channels; i += 64) {
    var value = (x[begin + i] - mean) * inverse;
    if (p.has_gamma != 0) { value *= gamma[p.gamma_offset + i]; }
    if (p.has_beta != 0) { value += beta[p.beta_offset + i]; }
    y[to + i] = value;
  }
  if (id == 0 && p.save_mean != 0) { saved_mean[p.mean_offset + row] = mean; }
  if (id == 0 && p.save_deviation != 0) {
    saved_deviation[p.deviation_offset + row] = select(inverse, variance, p.save_variance != 0);
  }
}
