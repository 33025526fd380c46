#version 450
// C = alpha·op(A)·op(B) + beta·C of float32 matrices on any strides, in tiles of 16×16.
// FAULT_… are kernels that are wrong on purpose: Assay's tests hold that each is caught.
layout(local_size_x = 16, local_size_y = 16) in;
layout(std430, binding = 0) readonly buffer MatrixA { float a[]; };
layout(std430, binding = 1) readonly buffer MatrixB { float b[]; };
layout(std430, binding = 2) buffer MatrixC { float c[]; };
layout(push_constant) uniform Problem {
  int a_offset, a_row, a_column, a_batch, b_offset, b_row, b_column, b_batch, c_offset, c_row, c_column, c_batch;
  int m, n, k;
  float alpha, beta;
};

shared float tile_a[16][16], tile_b[16][16];

float rounded_input(float x) {
#ifdef FAULT_HALF_INPUTS
  return unpackHalf2x16(packHalf2x16(vec2(x, 0))).x;
#else
  return x;
#endif
}

void main() {
  const int column = int(gl_GlobalInvocationID.x), row = int(gl_GlobalInvocationID.y),
            batch = int(gl_GlobalInvocationID.z), x = int(gl_LocalInvocationID.x), y = int(gl_LocalInvocationID.y);
#ifdef FAULT_IGNORES_STRIDE
  const int row_of_a = a_column == 1 ? k : a_row;
#else
  const int row_of_a = a_row;
#endif
  float sum = 0;
  for (int start = 0; start < k; start += 16) {
    tile_a[y][x] = row < m && start + x < k
        ? rounded_input(a[a_offset + batch * a_batch + row * row_of_a + (start + x) * a_column]) : 0;
    tile_b[y][x] = column < n && start + y < k
        ? rounded_input(b[b_offset + batch * b_batch + (start + y) * b_row + column * b_column]) : 0;
    barrier();
    for (int i = 0; i < 16; ++i) {
#ifdef FAULT_LOST_PRODUCT
      if (start + i == 7) continue;
#endif
      sum += tile_a[y][i] * tile_b[i][x];
    }
    barrier();
  }
#ifdef FAULT_ROW_TOO_MANY
  if (row > m || column >= n) return;
#else
  if (row >= m || column >= n) return;
#endif
  const int place = c_offset + batch * c_batch + row * c_row + column * c_column;
  const float product = alpha * sum;
  c[place] = beta == 0 ? product : product + beta * c[place];
}
