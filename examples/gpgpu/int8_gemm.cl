// out = Σ (a − zero point of a)·(b − zero point of b) of 8-bit integers in 32 bits. A and B: their types.
// FAULT_… are kernels that are wrong on purpose: Assay's tests hold that each is caught.

/// The zero points may be null. Their steps: 0 for one of all, 1 for one a row of a or column of b.
__kernel void int8_gemm(__global const A* a, __global const B* b, __global int* output, __global const int* a_zero,
                        __global const int* b_zero, long a_offset, long a_row, long b_offset, long b_term,
                        long b_column, long output_offset, long output_row, long a_zero_offset, long a_zero_step,
                        long b_zero_offset, long b_zero_step, int m, int n, int k) {
  const int column = get_global_id(0), row = get_global_id(1);
  if (row >= m || column >= n) return;
  const int zero_a = a_zero != 0 ? a_zero[a_zero_offset + row * a_zero_step] : 0;
#if defined(FAULT_ONE_ZERO_POINT)
  const int zero_b = b_zero != 0 ? b_zero[b_zero_offset] : 0;
#else
  const int zero_b = b_zero != 0 ? b_zero[b_zero_offset + column * b_zero_step] : 0;
#endif
  int sum = 0;
  for (int i = 0; i < k; ++i) {
    const int product = (a[a_offset + row * a_row + i] - zero_a) * (b[b_offset + i * b_term + column * b_column] - zero_b);
#if defined(FAULT_SATURATES)
    sum = clamp(sum + product, -32768, 32767);
#else
    sum += product;
#endif
  }
  output[output_offset + row * output_row + column] = sum;
}
