#include "kernels.h"

#include <math.h>
#include <string.h>

enum { TILE = 64, DEPTH = 128 }; /* a tile of C, and how much of K is packed at once: 80 KiB together */

static int64_t smaller(int64_t a, int64_t b) {
  return a < b ? a : b;
}

/* Copies a block so that its inner loop reads memory in order: `outer` rows of `inner` elements. */
static void pack(float* packed, int64_t row_length, int64_t outer, int64_t inner, const float* from,
                 int64_t outer_stride, int64_t inner_stride) {
  for (int64_t i = 0; i < outer; ++i)
    for (int64_t j = 0; j < inner; ++j) packed[i * row_length + j] = from[i * outer_stride + j * inner_stride];
}

static void multiply_tile(float sums[TILE][TILE], float a[TILE][DEPTH], float b[DEPTH][TILE], int64_t rows,
                          int64_t depth) {
  for (int64_t i = 0; i < rows; ++i)
    for (int64_t p = 0; p < depth; ++p) {
      const float factor = a[i][p];
      for (int64_t j = 0; j < TILE; ++j) sums[i][j] += factor * b[p][j];
    }
}

void gemm_f32(int64_t m, int64_t n, int64_t k, float alpha, struct matrix a, struct matrix b, float beta,
              struct matrix c) {
  float sums[TILE][TILE], packed_a[TILE][DEPTH], packed_b[DEPTH][TILE] = {{0}};
#ifdef DROP_K_TAIL
  k -= k % 8; /* the classic: the loop is unrolled by 8, and nobody wrote the rest */
#endif
  for (int64_t row = 0; row < m; row += TILE)
    for (int64_t column = 0; column < n; column += TILE) {
      const int64_t rows = smaller(TILE, m - row), columns = smaller(TILE, n - column);
      memset(sums, 0, sizeof sums);
      for (int64_t p = 0; p < k; p += DEPTH) {
        const int64_t depth = smaller(DEPTH, k - p);
        pack(&packed_a[0][0], DEPTH, rows, depth, a.elements + row * a.row_stride + p * a.column_stride, a.row_stride,
             a.column_stride);
        pack(&packed_b[0][0], TILE, depth, columns, b.elements + p * b.row_stride + column * b.column_stride,
             b.row_stride, b.column_stride);
        multiply_tile(sums, packed_a, packed_b, rows, depth);
      }
      for (int64_t i = 0; i < rows; ++i)
        for (int64_t j = 0; j < columns; ++j) {
          float* element = c.elements + (row + i) * c.row_stride + (column + j) * c.column_stride;
          *element = beta == 0 ? alpha * sums[i][j] : alpha * sums[i][j] + beta * *element;
        }
    }
}

void softmax_f32(int64_t length, const float* input, int64_t input_stride, float* output, int64_t output_stride,
                 float temperature, int logarithm) {
  float largest = -INFINITY, sum = 0;
  for (int64_t i = 0; i < length; ++i) {
    const float value = input[i * input_stride];
    if (value > largest || isnan(value)) largest = value; /* a NaN stays: nothing is larger than it */
  }
  for (int64_t i = 0; i < length; ++i) {
    const float exponent = (input[i * input_stride] - largest) / temperature;
    const float power = expf(exponent);
    sum += power;
    output[i * output_stride] = logarithm ? exponent : power;
  }
  const float logarithm_of_sum = logf(sum);
  for (int64_t i = 0; i < length; ++i) {
    float* element = output + i * output_stride;
    *element = logarithm ? *element - logarithm_of_sum : *element / sum;
  }
}

static float from_bf16(uint16_t bits) {
  const uint32_t wide = (uint32_t)bits << 16;
  float value;
  memcpy(&value, &wide, sizeof value);
  return value;
}

/* To nearest, ties to even; what is larger than the largest becomes infinity by itself. */
static uint16_t to_bf16(float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  if (isnan(value)) return (uint16_t)(bits >> 16 | 0x40); /* rounding could carry a NaN to infinity or beyond */
  return (uint16_t)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

void layernorm_bf16(int64_t length, const uint16_t* input, int64_t input_stride, uint16_t* output,
                    int64_t output_stride, const float* gamma, const float* beta, float epsilon) {
  float mean = 0, variance = 0;
  for (int64_t i = 0; i < length; ++i) mean += from_bf16(input[i * input_stride]);
  mean /= (float)length;
  for (int64_t i = 0; i < length; ++i) {
    const float deviation = from_bf16(input[i * input_stride]) - mean;
    variance += deviation * deviation;
  }
  variance /= (float)length;
  const float scale = 1 / sqrtf(variance + epsilon);
  for (int64_t i = 0; i < length; ++i) {
    float value = (from_bf16(input[i * input_stride]) - mean) * scale;
    if (gamma != NULL) value *= gamma[i];
    if (beta != NULL) value += beta[i];
    output[i * output_stride] = to_bf16(value);
  }
}
