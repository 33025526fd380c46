#version 450
// y = (x − μ)/√(σ² + ε)·gamma + beta of float32 rows, the variance found after the mean: 64 invocations a row.
// 1/√ is inversesqrt, which Vulkan promises to 2 units in the last place; of sqrt it promises less.
// FAULT_… are kernels that are wrong on purpose: Assay's tests hold that each is caught.
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer Input { float x[]; };
layout(std430, binding = 1) readonly buffer Gamma { float gamma[]; };
layout(std430, binding = 2) readonly buffer Beta { float beta[]; };
layout(std430, binding = 3) writeonly buffer Output { float y[]; };
layout(std430, binding = 4) writeonly buffer SavedMean { float saved_mean[]; };
layout(std430, binding = 5) writeonly buffer SavedDeviation { float saved_deviation[]; };
layout(push_constant) uniform Problem {
  int input_offset, input_row, gamma_offset, beta_offset, output_offset, output_row, mean_offset, deviation_offset;
  int channels;
  float epsilon;
  int has_gamma, has_beta, save_mean, save_deviation, save_variance;
};

shared float partial[64];

float group_sum(float own) {
  const int id = int(gl_LocalInvocationID.x);
  partial[id] = own;
  barrier();
  for (int step = 32; step > 0; step /= 2) {
    if (id < step) partial[id] += partial[id + step];
    barrier();
  }
  const float all = partial[0];
  barrier();
  return all;
}

void main() {
  const int row = int(gl_WorkGroupID.x), id = int(gl_LocalInvocationID.x);
  const int from = input_offset + row * input_row, to = output_offset + row * output_row;
  float sum = 0, squares = 0;
  for (int i = id; i < channels; i += 64) sum += x[from + i];
  const float mean = group_sum(sum) / channels;
#ifdef FAULT_ONE_PASS
  for (int i = id; i < channels; i += 64) squares += x[from + i] * x[from + i];
  const float variance = max(group_sum(squares) / channels - mean * mean, 0.0);
#else
  for (int i = id; i < channels; i += 64) {
    const float distance = x[from + i] - mean;
    squares += distance * distance;
  }
  const float variance = group_sum(squares) / channels;
#endif
#ifdef FAULT_NO_EPSILON
  const float inverse = inversesqrt(variance);
#else
  const float inverse = inversesqrt(variance + epsilon);
#endif
  for (int i = id; i < channels; i += 64) {
    const float scale = has_gamma != 0 ? gamma[gamma_offset + i] : 1, shift = has_beta != 0 ? beta[beta_offset + i] : 0;
    y[to + i] = (x[from + i] - mean) * inverse * scale + shift;
  }
  if (id == 0 && save_mean != 0) saved_mean[mean_offset + row] = mean;
  if (id == 0 && save_deviation != 0)
    saved_deviation[deviation_offset + row] = save_variance != 0 ? variance : inverse;
}
