// y = (x − μ)/√(σ² + ε)·gamma + beta of rows, the variance found after the mean: a group of 64 work items a row.
// FAULT_… are kernels that are wrong on purpose: Assay's tests hold that each is caught.

#define GROUP 64

float group_sum(__local float* partial, float own) {
  const int id = get_local_id(0);
  partial[id] = own;
  for (int half_of = GROUP / 2; half_of > 0; half_of /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (id < half_of) partial[id] += partial[id + half_of];
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  const float all = partial[0];
  barrier(CLK_LOCAL_MEM_FENCE);
  return all;
}

/// gamma, beta, saved_mean and saved_deviation may be null. save_variance: the variance is wanted, not 1/√(σ² + ε).
__kernel void layernorm(__global const float* input, __global const float* gamma, __global const float* beta,
                        __global float* output, __global float* saved_mean, __global float* saved_deviation,
                        long input_offset, long input_row, long gamma_offset, long beta_offset, long output_offset,
                        long output_row, long mean_offset, long deviation_offset, int channels, float epsilon,
                        int save_variance) {
  __local float partial[GROUP];
  const long row = get_group_id(0);
  const int id = get_local_id(0);
  __global const float* const x = input + input_offset + row * input_row;
  __global float* const y = output + output_offset + row * output_row;
  float sum = 0, squares = 0;
  for (int i = id; i < channels; i += GROUP) sum += x[i];
  const float mean = group_sum(partial, sum) / channels;
#if defined(FAULT_ONE_PASS)
  for (int i = id; i < channels; i += GROUP) squares += x[i] * x[i];
  const float variance = fmax(group_sum(partial, squares) / channels - mean * mean, 0.0f);
#else
  for (int i = id; i < channels; i += GROUP) {
    const float distance = x[i] - mean;
    squares += distance * distance;
  }
  const float variance = group_sum(partial, squares) / channels;
#endif
#if defined(FAULT_NO_EPSILON)
  const float inverse = 1 / sqrt(variance);
#else
  const float inverse = 1 / sqrt(variance + epsilon);
#endif
  for (int i = id; i < channels; i += GROUP) {
    const float scale = gamma != 0 ? gamma[gamma_offset + i] : 1, shift = beta != 0 ? beta[beta_offset + i] : 0;
    y[i] = (x[i] - mean) * inverse * scale + shift;
  }
  if (id == 0 && saved_mean != 0) saved_mean[mean_offset + row] = mean;
  if (id == 0 && saved_deviation != 0) saved_deviation[deviation_offset + row] = save_variance ? variance : inverse;
}
