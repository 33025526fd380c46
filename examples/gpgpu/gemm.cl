// C = alpha·op(A)·op(B) + beta·C of matrices on any strides, in tiles of 16×16. T: elements in memory; S: sums.
// FAULT_… are kernels that are wrong on purpose: Assay's tests hold that each is caught.

#if defined(DOUBLE)
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#define S double
#define T double
#define READ(p, i) (p)[i]
#define WRITE(p, i, x) (p)[i] = (x)
#elif defined(HALF_INPUT)
#define S float
#define T half
#define READ(p, i) vload_half((i), (p))
#else
#define S float
#define T float
#define READ(p, i) (p)[i]
#endif

#if defined(HALF_OUTPUT)
#define O half
#define READ_OUTPUT(p, i) vload_half((i), (p))
#define WRITE_OUTPUT(p, i, x) vstore_half_rte((x), (i), (p))
#else
#define O S
#define READ_OUTPUT(p, i) (p)[i]
#define WRITE_OUTPUT(p, i, x) (p)[i] = (x)
#endif

#define TILE 16

S rounded_input(S x) {
#if defined(FAULT_HALF_INPUTS)
  ushort bits;
  vstore_half_rte((float)x, 0, (half*)&bits);
  return vload_half(0, (half*)&bits);
#else
  return x;
#endif
}

__kernel void gemm(__global const T* a, __global const T* b, __global O* c, long a_offset, long a_row, long a_column,
                   long a_batch, long b_offset, long b_row, long b_column, long b_batch, long c_offset, long c_row,
                   long c_column, long c_batch, int m, int n, int k, S alpha, S beta) {
  __local S tile_a[TILE][TILE], tile_b[TILE][TILE];
  const int column = get_global_id(0), row = get_global_id(1), x = get_local_id(0), y = get_local_id(1);
  const long batch = get_global_id(2);
#if defined(FAULT_NARROW_BATCH_OFFSET)
  const long first_a = a_offset + (short)(batch * a_batch);
#else
  const long first_a = a_offset + batch * a_batch;
#endif
  const long first_b = b_offset + batch * b_batch;
#if defined(FAULT_IGNORES_STRIDE)
  if (a_column == 1) a_row = k;
#endif
  S sum = 0;
  for (int start = 0; start < k; start += TILE) {
#if defined(FAULT_K_TAIL)
    if (row < m && start + x < k) tile_a[y][x] = READ(a, first_a + row * a_row + (start + x) * a_column);
    if (column < n && start + y < k) tile_b[y][x] = READ(b, first_b + (start + y) * b_row + column * b_column);
#else
    tile_a[y][x] = row < m && start + x < k
                       ? rounded_input(READ(a, first_a + row * a_row + (start + x) * a_column)) : 0;
    tile_b[y][x] = column < n && start + y < k
                       ? rounded_input(READ(b, first_b + (start + y) * b_row + column * b_column)) : 0;
#endif
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 0; i < TILE; ++i) {
#if defined(FAULT_LOST_PRODUCT)
      if (start + i == 7) continue;
#endif
      sum += tile_a[y][i] * tile_b[i][x];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
#if defined(FAULT_ROW_TOO_MANY)
  if (row > m || column >= n) return;
#else
  if (row >= m || column >= n) return;
#endif
  const long place = c_offset + batch * c_batch + row * c_row + column * c_column;
  const S product = alpha * sum;
  WRITE_OUTPUT(c, place, beta == 0 ? product : product + beta * READ_OUTPUT(c, place));
}
