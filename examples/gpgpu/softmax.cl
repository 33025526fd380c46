// y = softmax(x / temperature), or its logarithm, along the middle one of three dimensions: a group of 64 work items a
// lane. HALF: elements of 16 bits, computed in float32.
// FAULT_… are kernels that are wrong on purpose: Assay's tests hold that each is caught.

#if defined(HALF)
#define T half
#define READ(p, i) vload_half((i), (p))
#define WRITE(p, i, x) vstore_half_rte((x), (i), (p))
#else
#define T float
#define READ(p, i) (p)[i]
#define WRITE(p, i, x) (p)[i] = (x)
#endif

#define GROUP 64

float scaled(__global const T* x, __global const uchar* mask, long place, long mask_place, float temperature) {
  if (mask != 0 && mask[mask_place] == 0) return -INFINITY;
  const float value = READ(x, place);
  return temperature == 1 ? value : value / temperature;
}

/// Of all work items of the group; NaN where one has it.
float group_maximum(__local float* partial, float own) {
  const int id = get_local_id(0);
  partial[id] = own;
  for (int half_of = GROUP / 2; half_of > 0; half_of /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (id < half_of) {
      const float a = partial[id], b = partial[id + half_of];
      partial[id] = isnan(a) || isnan(b) ? NAN : fmax(a, b);
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  const float all = partial[0];
  barrier(CLK_LOCAL_MEM_FENCE);
  return all;
}

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

__kernel void softmax(__global const T* input, __global const uchar* mask, __global T* output, long input_offset,
                      long input_0, long input_1, long input_2, long mask_offset, long mask_0, long mask_1, long mask_2,
                      long output_offset, long output_0, long output_1, long output_2, int length, int inner,
                      float temperature, int logarithm, int zeros) {
  __local float partial[GROUP];
  const int lane = get_group_id(0), id = get_local_id(0);
  const long outer = lane / inner, within = lane % inner;
  const long x = input_offset + outer * input_0 + within * input_2;
  const long m = mask_offset + outer * mask_0 + within * mask_2;
  const long y = output_offset + outer * output_0 + within * output_2;
  float maximum = -INFINITY;
  for (int i = id; i < length; i += GROUP) {
    const float z = scaled(input, mask, x + i * input_1, m + i * mask_1, temperature);
    maximum = isnan(z) ? NAN : fmax(maximum, z);
    if (isnan(z)) break;
  }
  maximum = group_maximum(partial, maximum);
#if defined(FAULT_NO_MAXIMUM)
  if (!isnan(maximum)) maximum = 0;
#endif
  if (maximum == -INFINITY && zeros) {
    for (int i = id; i < length; i += GROUP) WRITE(output, y + i * output_1, logarithm ? -INFINITY : 0.0f);
    return;
  }
  float sum = 0;
#if defined(FAULT_LOST_TAIL)
  for (int i = id; i < length / GROUP * GROUP; i += GROUP)
#else
  for (int i = id; i < length; i += GROUP)
#endif
    sum += exp(scaled(input, mask, x + i * input_1, m + i * mask_1, temperature) - maximum);
  sum = group_sum(partial, sum);
  const float log_sum = log(sum);
  for (int i = id; i < length; i += GROUP) {
    const float shifted = scaled(input, mask, x + i * input_1, m + i * mask_1, temperature) - maximum;
    WRITE(output, y + i * output_1, logarithm ? shifted - log_sum : exp(shifted) / sum);
  }
}
