/* The kernels that are to be validated, as they would stand in a library of their own: they know nothing of Assay.
 *
 * Extents and strides are in elements; strides may be of any sign. Nothing is allocated and nothing can fail. */
#ifndef KERNELS_H
#define KERNELS_H

#include <stdint.h>

struct matrix {
  float* elements;
  int64_t row_stride, column_stride;
};

/* C = alpha A B + beta C, where A is m by k and B is k by n. Sums are kept in float. Where beta is 0, C is not read. */
void gemm_f32(int64_t m, int64_t n, int64_t k, float alpha, struct matrix a, struct matrix b, float beta,
              struct matrix c);

/* One row: output = softmax(input / temperature), or its logarithm. */
void softmax_f32(int64_t length, const float* input, int64_t input_stride, float* output, int64_t output_stride,
                 float temperature, int logarithm);

/* One row of bfloat16: output = (input - mean) / sqrt(variance + epsilon) * gamma + beta, computed in float.
 * gamma and beta are float, beside each other; null for ones and zeros. */
void layernorm_bf16(int64_t length, const uint16_t* input, int64_t input_stride, uint16_t* output,
                    int64_t output_stride, const float* gamma, const float* beta, float epsilon);

#endif
