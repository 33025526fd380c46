#version 450
// Scaled dot-product attention in float32, 64 invocations a query: scores in shared memory, their maximum, their sum,
// and then the values that they weigh. Grouped heads, causal masks and windows, soft caps, ALiBi, additive masks,
// lengths of sequences. Vulkan promises exp, log and tanh too little, so they are computed here.
// FAULT_… are kernels that are wrong on purpose: Assay's tests hold that each is caught.
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer Query { float query[]; };
layout(std430, binding = 1) readonly buffer Key { float key[]; };
layout(std430, binding = 2) readonly buffer Value { float value[]; };
layout(std430, binding = 3) readonly buffer Mask { float mask[]; };
layout(std430, binding = 4) readonly buffer Slopes { float slopes[]; };
layout(std430, binding = 5) readonly buffer Lengths { int lengths[]; };
layout(std430, binding = 6) writeonly buffer Output { float y[]; };
layout(std430, binding = 7) writeonly buffer LogSum { float log_sum[]; };
layout(push_constant) uniform Problem {  // 31 words: every device has 32
  int offsets, more_offsets;  // of the operands, 6 bits each, four in a word
  int query_batch, query_head, query_row, key_batch, key_head, key_row, value_batch, value_head, value_row;
  int mask_batch, mask_head, mask_row, output_batch, output_head, output_row, log_batch, log_head, log_row;
  int heads, key_heads, queries, keys, depth, value_depth;
  float scale, soft_cap;
  int left, right, flags;  // keys before and behind the diagonal, −1: all
};
const int bottom_right = 1, zeros = 2, has_mask = 4, has_slopes = 8, has_lengths = 16, has_log_sum = 32;

shared float scores[3968], partial[64];
shared bool any_nan;

const uint infinity_bits = 0x7F800000u;

int offset_of(int operand) { return ((operand < 4 ? offsets : more_offsets) >> (operand & 3) * 6) & 63; }
bool is_set(int flag) { return (flags & flag) != 0; }
float not_a_number() { return uintBitsToFloat(0x7FC00000u); }
float minus_infinity() { return uintBitsToFloat(0xFF800000u); }

float exponential(float t) {  // of at most 80
  if (t < -104) return 0;
  const float n = roundEven(t * 1.44269504);
  const float r = fma(-n, -2.12194440e-4, fma(-n, 0.693359375, t));
  float p = 1.9875691500e-4;
  p = fma(p, r, 1.3981999507e-3);
  p = fma(p, r, 8.3334519073e-3);
  p = fma(p, r, 4.1665795894e-2);
  p = fma(p, r, 1.6666665459e-1);
  p = fma(p, r, 5.0000001201e-1);
  const float e = fma(p * r, r, r) + 1;
  const int first = int(n) / 2, second = int(n) - first;  // each a normal power of two
  return e * uintBitsToFloat(uint(first + 127) << 23) * uintBitsToFloat(uint(second + 127) << 23);
}

float logarithm(float t) {  // of a normal number
  int e = int(floatBitsToUint(t) >> 23) - 126;
  float f = uintBitsToFloat((floatBitsToUint(t) & 0x7FFFFFu) | 0x3F000000u);  // in [0.5, 1)
  if (f < 0.707106781) {
    --e;
    f = f + f - 1;
  } else {
    f = f - 1;
  }
  float p = 7.0376836292e-2;
  p = fma(p, f, -1.1514610310e-1);
  p = fma(p, f, 1.1676998740e-1);
  p = fma(p, f, -1.2420140846e-1);
  p = fma(p, f, 1.4249322787e-1);
  p = fma(p, f, -1.6668057665e-1);
  p = fma(p, f, 2.0000714765e-1);
  p = fma(p, f, -2.4999993993e-1);
  p = fma(p, f, 3.3333331174e-1);
  const float square = f * f;
  float rest = p * f * square;
  rest = fma(float(e), -2.12194440e-4, rest);
  rest = fma(-0.5, square, rest);
  return fma(float(e), 0.693359375, f + rest);
}

float hyperbolic_tangent(float t) {
  const float size = abs(t);
  if (size > 10) return t > 0 ? 1 : -1;
  if (size > 0.625) return sign(t) * (1 - 2 / (exponential(2 * size) + 1));
  const float z = t * t;
  float p = -5.70498872745e-3;
  p = fma(p, z, 2.06390887954e-2);
  p = fma(p, z, -5.37397155531e-2);
  p = fma(p, z, 1.33314422036e-1);
  p = fma(p, z, -3.33332819422e-1);
  return fma(p * z, t, t);
}

// NaN or +∞: of either there is no softmax.
bool has_no_softmax(float t) {
  const uint bits = floatBitsToUint(t);
  return (bits & 0x7FFFFFFFu) > infinity_bits || bits == infinity_bits;
}

void main() {
  const int group = int(gl_WorkGroupID.x), id = int(gl_LocalInvocationID.x);
  const int i = group % queries, head = group / queries % heads, batch = group / queries / heads;
#ifdef FAULT_HEAD_STRIDE
  const int own = head % key_heads;
#else
  const int own = head / (heads / key_heads);
#endif
  const int seen = is_set(has_lengths) ? lengths[offset_of(5) + batch] : keys;
#ifdef FAULT_TOP_LEFT
  const int diagonal = i;
#else
  const int diagonal = i + (is_set(bottom_right) ? seen - queries : 0);
#endif
  const int first = left >= 0 && diagonal > left ? diagonal - left : 0;
  const int last = right >= 0 && right < seen - 1 - diagonal ? diagonal + right + 1 : seen;
  const int q = offset_of(0) + batch * query_batch + head * query_head + i * query_row;
  if (id == 0) any_nan = false;
  barrier();
  const float least = uintBitsToFloat(0xFF7FFFFFu);
  float maximum = least;
  bool any_number = false;
  for (int j = first + id; j < last; j += 64) {
    const int k = offset_of(1) + batch * key_batch + own * key_head + j * key_row;
    float score = 0;
    for (int d = 0; d < depth; ++d) score += query[q + d] * key[k + d];
    score *= scale;
    if (soft_cap > 0 && (floatBitsToUint(score) & 0x7FFFFFFFu) <= infinity_bits)
      score = soft_cap * hyperbolic_tangent(score / soft_cap);
    if (is_set(has_slopes)) score -= slopes[offset_of(4) + head] * float(abs(j - diagonal));
    if (is_set(has_mask)) score += mask[offset_of(3) + batch * mask_batch + head * mask_head + i * mask_row + j];
    scores[j - first] = score;
    if (has_no_softmax(score)) any_nan = true;
    else if (floatBitsToUint(score) != 0xFF800000u) { maximum = max(maximum, score); any_number = true; }
  }
  partial[id] = maximum;
  barrier();
  for (int step = 32; step > 0; step /= 2) {
    if (id < step) partial[id] = max(partial[id], partial[id + step]);
    barrier();
  }
  maximum = partial[0];
  barrier();
  partial[id] = any_number ? 1 : 0;
  barrier();
  for (int step = 32; step > 0; step /= 2) {
    if (id < step) partial[id] = max(partial[id], partial[id + step]);
    barrier();
  }
  const bool nothing = partial[0] == 0 && !any_nan;
  barrier();
  float sum = 0;
  for (int j = first + id; j < last; j += 64) {
    const float score = scores[j - first];
    const float weight = floatBitsToUint(score) == 0xFF800000u ? 0 : exponential(score - maximum);
    scores[j - first] = weight;
    sum += weight;
  }
  partial[id] = sum;
  barrier();
  for (int step = 32; step > 0; step /= 2) {
    if (id < step) partial[id] += partial[id + step];
    barrier();
  }
  sum = partial[0];
  if (id == 0 && is_set(has_log_sum))
    log_sum[offset_of(7) + batch * log_batch + head * log_head + i * log_row] =
        any_nan ? not_a_number() : nothing ? minus_infinity() : maximum + logarithm(sum);
  const int v = offset_of(2) + batch * value_batch + own * value_head;
  const int to = offset_of(6) + batch * output_batch + head * output_head + i * output_row;
  for (int d = id; d < value_depth; d += 64) {
    float result = 0;
    if (!nothing && !any_nan)
      for (int j = first; j < last; ++j)
        if (scores[j - first] != 0) result += scores[j - first] / sum * value[v + j * value_row + d];
    y[to + d] = any_nan || (nothing && !is_set(zeros)) ? not_a_number() : result;
  }
}
