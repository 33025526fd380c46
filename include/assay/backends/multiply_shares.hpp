#pragma once

#include "assay/backends/matrix_share.hpp"

#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
#define ASSAY_DETAIL_UNROLL _Pragma("unroll")
#define ASSAY_DETAIL_KEEP_LOOP _Pragma("unroll 1")
#else
#define ASSAY_DETAIL_UNROLL
#define ASSAY_DETAIL_KEEP_LOOP
#endif

namespace assay::inline v0::detail {

/// One thread's part of a product, without matrix units: a chain of fused multiply-adds in ascending k for each
/// element.
template <int Depth, int Rows, int Columns, class Left, class Right>
ASSAY_FUNCTION inline void multiply_one_by_one(int thread, MatrixShare<Rows, Columns>& share, const Left& left,
                                               const Right& right) {
  using Share = MatrixShare<Rows, Columns>;
  const int group = thread / 32;
  ASSAY_DETAIL_KEEP_LOOP  // else elements of all k are fetched first, into more registers than there are
      for (int k = 0; k < Depth; ++k) {
    double rows[Share::row_parts], columns[Share::column_parts][2];
    ASSAY_DETAIL_UNROLL
    for (int i = 0; i < Share::row_parts; ++i) rows[i] = left(group, Share::row(thread, i), k);
    ASSAY_DETAIL_UNROLL
    for (int j = 0; j < Share::column_parts; ++j)
      for (int which = 0; which < 2; ++which) columns[j][which] = right(group, k, Share::column(thread, j, which));
    ASSAY_DETAIL_UNROLL
    for (int i = 0; i < Share::row_parts; ++i) ASSAY_DETAIL_UNROLL
    for (int j = 0; j < Share::column_parts; ++j)
      for (int which = 0; which < 2; ++which)
        share.values[i][j][which] = __builtin_fma(rows[i], columns[j][which], share.values[i][j][which]);
  }
}

/// The same of all threads of a group at once, as matrix units do it: each thread hands in one element of every 8 × 4
/// part of the left and 4 × 8 part of the right matrix. `shares(lane)` is that thread's.
template <int Depth, int Rows, int Columns, class Shares, class Left, class Right>
ASSAY_FUNCTION inline void multiply_as_matrix_units(int group, const Shares& shares, const Left& left,
                                                    const Right& right) {
  using Share = MatrixShare<Rows, Columns>;
  for (int start = 0; start < Depth; start += 4) {
    double rows[Share::row_parts][32], columns[Share::column_parts][32];
    for (int lane = 0; lane < 32; ++lane) {
      for (int i = 0; i < Share::row_parts; ++i) rows[i][lane] = left(group, 8 * i + lane / 4, start + lane % 4);
      for (int j = 0; j < Share::column_parts; ++j) columns[j][lane] = right(group, start + lane % 4, 8 * j + lane / 4);
    }
    // what the unit does with its registers, in its own words: element (r, c) of a part lies with lane 4r + c/2
    for (int lane = 0; lane < 32; ++lane)
      for (int i = 0; i < Share::row_parts; ++i)
        for (int j = 0; j < Share::column_parts; ++j)
          for (int which = 0; which < 2; ++which) {
            const int r = lane >> 2, c = ((lane & 3) << 1) | which;
            double& sum = shares(lane).values[i][j][which];
            for (int k = 0; k < 4; ++k) sum = __builtin_fma(rows[i][r << 2 | k], columns[j][c << 2 | k], sum);
          }
  }
}

}  // namespace assay::inline v0::detail
