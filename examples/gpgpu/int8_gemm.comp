#version 450
// out = Σ (a − zero point of a)·(b − zero point of b) of 8-bit integers in 32 bits. Bytes are taken out of words, which
// needs no extension.
// FAULT_… are kernels that are wrong on purpose: Assay's tests hold that each is caught.
layout(local_size_x = 8, local_size_y = 8) in;
layout(std430, binding = 0) readonly buffer MatrixA { uint a[]; };
layout(std430, binding = 1) readonly buffer MatrixB { uint b[]; };
layout(std430, binding = 2) writeonly buffer Result { int y[]; };
layout(std430, binding = 3) readonly buffer ZeroPointsA { int a_zero[]; };
layout(std430, binding = 4) readonly buffer ZeroPointsB { int b_zero[]; };
layout(push_constant) uniform Problem {
  int a_offset, a_row, b_offset, b_term, b_column, output_offset, output_row;
  int has_a_zero, a_zero_offset, a_zero_step, has_b_zero, b_zero_offset, b_zero_step;  // steps: 0 for one of all
  int m, n, k, a_signed, b_signed;
};

int byte_of(uint word, int place, bool is_signed) {
  const int shift = (place & 3) * 8;
  return is_signed ? bitfieldExtract(int(word), shift, 8) : int(bitfieldExtract(word, shift, 8));
}

void main() {
  const int column = int(gl_GlobalInvocationID.x), row = int(gl_GlobalInvocationID.y);
  if (row >= m || column >= n) return;
  const int zero_a = has_a_zero != 0 ? a_zero[a_zero_offset + row * a_zero_step] : 0;
#ifdef FAULT_ONE_ZERO_POINT
  const int zero_b = has_b_zero != 0 ? b_zero[b_zero_offset] : 0;
#else
  const int zero_b = has_b_zero != 0 ? b_zero[b_zero_offset + column * b_zero_step] : 0;
#endif
  int sum = 0;
  for (int i = 0; i < k; ++i) {
    const int at_a = a_offset + row * a_row + i, at_b = b_offset + i * b_term + column * b_column;
    const int product =
        (byte_of(a[at_a >> 2], at_a, a_signed != 0) - zero_a) * (byte_of(b[at_b >> 2], at_b, b_signed != 0) - zero_b);
#ifdef FAULT_SATURATES
    sum = clamp(sum + product, -32768, 32767);
#else
    sum += product;
#endif
  }
  y[output_offset + row * output_row + column] = sum;
}
