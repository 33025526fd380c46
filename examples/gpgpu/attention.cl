// Scaled dot-product attention in float32, a group of 64 work items a query: scores in local memory, their maximum,
// their sum, and then the values that they weigh. Grouped heads, causal masks and windows, soft caps, ALiBi, additive
// masks, lengths of sequences.
// FAULT_… are kernels that are wrong on purpose: Assay's tests hold that each is caught.

#define GROUP 64

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

/// slopes, mask and lengths may be null. right: the keys behind the diagonal that are seen, or −1 for all.
__kernel void attention(__global const float* query, __global const float* key, __global const float* value,
                        __global const float* mask, __global const float* slopes, __global const int* lengths,
                        __global float* output, __global float* log_sum, long query_offset, long query_batch,
                        long query_head, long query_row, long key_offset, long key_batch, long key_head, long key_row,
                        long value_offset, long value_batch, long value_head, long value_row, long mask_offset,
                        long mask_batch, long mask_head, long mask_row, long slopes_offset, long lengths_offset,
                        long output_offset, long output_batch, long output_head, long output_row, long log_offset,
                        long log_batch, long log_head, long log_row, int heads, int key_heads, int queries, int keys,
                        int depth, int value_depth, float scale, float soft_cap, int bottom_right, int left, int right,
                        int zeros, __local float* scores) {
  __local float partial[GROUP];
  const int group = get_group_id(0), id = get_local_id(0);
  const int i = group % queries, head = group / queries % heads;
  const long batch = group / queries / heads;
#if defined(FAULT_HEAD_STRIDE)
  const int own = head % key_heads;
#else
  const int own = head / (heads / key_heads);
#endif
  const int seen = lengths != 0 ? lengths[lengths_offset + batch] : keys;
#if defined(FAULT_TOP_LEFT)
  const int diagonal = i;
#else
  const int diagonal = i + (bottom_right ? seen - queries : 0);
#endif
  const int first = left >= 0 && diagonal > left ? diagonal - left : 0;
  const int last = right >= 0 && right < seen - 1 - diagonal ? diagonal + right + 1 : seen;
  __global const float* const q = query + query_offset + batch * query_batch + head * query_head + i * query_row;
  float maximum = -INFINITY;
  for (int j = first + id; j < last; j += GROUP) {
    __global const float* const k = key + key_offset + batch * key_batch + own * key_head + j * key_row;
    float score = 0;
    for (int d = 0; d < depth; ++d) score += q[d] * k[d];
    score *= scale;
    if (soft_cap > 0) score = soft_cap * tanh(score / soft_cap);
    if (slopes != 0) score -= slopes[slopes_offset + head] * (float)abs(j - diagonal);
    if (mask != 0) score += mask[mask_offset + batch * mask_batch + head * mask_head + i * mask_row + j];
    scores[j - first] = score;
    maximum = isnan(maximum) || isnan(score) ? NAN : fmax(maximum, score);
  }
  maximum = group_maximum(partial, maximum);
  float sum = 0;
  for (int j = first + id; j < last; j += GROUP) {
    const float weight = maximum == -INFINITY ? 0 : exp(scores[j - first] - maximum);
    scores[j - first] = weight;
    sum += weight;
  }
  sum = group_sum(partial, sum);  // behind whose barriers all weights are there
  const bool nothing = maximum == -INFINITY;
  if (id == 0 && log_sum != 0)
    log_sum[log_offset + batch * log_batch + head * log_head + i * log_row] =
        nothing ? -INFINITY : maximum + log(sum);
  __global const float* const v = value + value_offset + batch * value_batch + own * value_head;
  __global float* const y = output + output_offset + batch * output_batch + head * output_head + i * output_row;
  for (int d = id; d < value_depth; d += GROUP) {
    float result = 0;
    for (int j = first; j < last; ++j)
      if (scores[j - first] != 0) result += scores[j - first] / sum * v[j * value_row + d];
    y[d] = nothing ? (zeros ? 0 : NAN) : result;
  }
}
