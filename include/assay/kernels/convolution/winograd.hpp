#pragma once

#include <cstddef>

#include "assay/kernels/convolution/geometry.hpp"

namespace assay::inline v0 {

/// The matrices of F(m, 3): y = Aᵀ[(G·g·Gᵀ) ⊙ (Bᵀ·d·B)]A for a tile of m×m outputs, a 3×3 filter g and (m + 2)×(m + 2)
/// inputs d. Source: Lavin and Gray, "Fast algorithms for convolutional neural networks", CVPR 2016, section 4.
struct WinogradTransform {
  int outputs = 2;              ///< m
  double of_input[6][6] = {};   ///< Bᵀ
  double of_filter[6][3] = {};  ///< G
  double of_output[4][6] = {};  ///< Aᵀ

  /// Rows of a tile of inputs.
  [[nodiscard]] ASSAY_FUNCTION constexpr int inputs() const { return outputs + 2; }
  /// Roundings between the products' errors and an output, beside the additions over channels: in both directions a sum
  /// of up to four terms with coefficients for d, of three for g, of five for the output; and the product.
  [[nodiscard]] constexpr Index roundings() const { return outputs == 2 ? 2 * (1 + 2 + 2) + 1 : 2 * (4 + 4 + 4) + 1; }

  /// The matrices for tiles of 2 or 4 outputs a row.
  [[nodiscard]] ASSAY_FUNCTION static constexpr WinogradTransform of(int outputs) {
    if (outputs == 2)
      return {2,
              {{1, 0, -1, 0}, {0, 1, 1, 0}, {0, -1, 1, 0}, {0, 1, 0, -1}},
              {{1, 0, 0}, {0.5, 0.5, 0.5}, {0.5, -0.5, 0.5}, {0, 0, 1}},
              {{1, 1, 1, 0}, {0, 1, -1, -1}}};
    constexpr double sixth = 1.0 / 6, twelfth = 1.0 / 12, last = 1.0 / 24;
    return {4,
            {{4, 0, -5, 0, 1, 0},
             {0, -4, -4, 1, 1, 0},
             {0, 4, -4, -1, 1, 0},
             {0, -2, -1, 2, 1, 0},
             {0, 2, -1, -2, 1, 0},
             {0, 4, 0, -5, 0, 1}},
            {{0.25, 0, 0},
             {-sixth, -sixth, -sixth},
             {-sixth, sixth, -sixth},
             {last, twelfth, sixth},
             {last, -twelfth, sixth},
             {0, 0, 1}},
            {{1, 1, 1, 1, 1, 0}, {0, 1, -1, 2, -2, 0}, {0, 1, 1, 4, 4, 0}, {0, 1, -1, 8, -8, 1}}};
  }
};

/// What errors of a Winograd convolution are relative to, for one tile of outputs:
///
///   M = |Aᵀ|[Σ_c (|G|·|g_c|·|Gᵀ|) ⊙ (|Bᵀ|·|d_c|·|B|)]|A| ≥ Σ|x·w|.
///
/// Every intermediate result is bounded by its counterpart here, so that L roundings in a row err by γ_L·M. Infinite
/// where a transform may pass `largest`.
///
/// What underflows in a transform is multiplied by the other one: with at most 2t errors of η in a sum of t terms, and
/// t_a terms in row a of Bᵀ, element (a, b) of Bᵀ·d·B is off by e_d = 2·(t_b + t_a·Σ_j |Bᵀ_bj|)·η, or as much with a
/// and b exchanged, of G·g·Gᵀ by e_g alike, and the outputs by |Aᵀ|[Σ_c e_d·(|G|·|g_c|·|Gᵀ|) + e_g·(|Bᵀ|·|d_c|·|B|) +
/// e_d·e_g]|A|, beside M's roundings. After Barabasz, Anderson, Soodhalter, Gregg, "Error analysis and improving the
/// accuracy of Winograd convolution for deep neural networks", ACM TOMS 46 (2020), theorem 1, with matrices of
/// magnitudes in place of their norms.
struct WinogradMagnitudes {
  ConvolutionTerms terms;
  WinogradTransform transform;
  double largest;
  double* magnitudes;        ///< of all results
  double least = 0;          ///< η
  double* losses = nullptr;  ///< by underflow in transforms, of all results; null: not asked for

  /// Tiles along that axis.
  [[nodiscard]] Index tiles(int axis) const {
    return (terms.geometry.coarse[axis] + transform.outputs - 1) / transform.outputs;
  }
  /// Tiles of all images, groups and channels.
  [[nodiscard]] std::size_t count() const {
    return static_cast<std::size_t>(terms.geometry.batch * terms.geometry.groups * terms.geometry.coarse_channels *
                                    tiles(1) * tiles(2));
  }

  ASSAY_FUNCTION void operator()(std::size_t index) const {
    const ConvolutionGeometry& geometry = terms.geometry;
    const int m = transform.outputs, size = transform.inputs();
    const Index wide = (geometry.coarse[2] + m - 1) / m, high = (geometry.coarse[1] + m - 1) / m,
                tile = static_cast<Index>(index), channels = geometry.groups * geometry.coarse_channels;
    const Index column = tile % wide * m, row = tile / wide % high * m, channel = tile / wide / high % channels,
                image = tile / wide / high / channels;
    double products[6][6] = {}, lost[6][6] = {};
    for (Index c = 0; c < geometry.fine_channels; ++c) add_channel(image, channel, c, row, column, products, lost);
    for (Index i = 0; i < m && row + i < geometry.coarse[1]; ++i)
      for (Index j = 0; j < m && column + j < geometry.coarse[2]; ++j) {
        double sum = 0, loss = 0;
        for (int a = 0; a < size; ++a)
          for (int b = 0; b < size; ++b) {
            const double weight = detail::absolute(transform.of_output[i][a] * transform.of_output[j][b]);
            sum += weight * products[a][b];
            loss += weight * lost[a][b];
          }
        const Index result = geometry.image_element({image, channel, {0, row + i, column + j}}, false);
        magnitudes[result] = sum;
        if (losses != nullptr) losses[result] = loss;
      }
  }

 private:
  ASSAY_FUNCTION void add_channel(Index image, Index channel, Index c, Index row, Index column,
                                  double (&products)[6][6], double (&lost)[6][6]) const {
    const ConvolutionGeometry& geometry = terms.geometry;
    const int size = transform.inputs();
    const Index first = channel / geometry.coarse_channels * geometry.fine_channels;
    double input[6][6], filter[3][3];
    for (int i = 0; i < size; ++i)
      for (int j = 0; j < size; ++j) {
        const Index at[3] = {0, row + i - geometry.padding[1], column + j - geometry.padding[2]};
        const bool inside = at[1] >= 0 && at[1] < geometry.fine[1] && at[2] >= 0 && at[2] < geometry.fine[2];
        input[i][j] = inside ? detail::absolute(terms.fine.load(image, first + c, at)) : 0;
      }
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) {
        const Index at[3] = {0, i, j};
        filter[i][j] = detail::absolute(terms.weights.load(channel, c, at));
      }
    for (int a = 0; a < size; ++a) {
      double half_input[6] = {}, half_filter[3] = {};
      for (int i = 0; i < size; ++i)
        for (int j = 0; j < size; ++j) half_input[j] += detail::absolute(transform.of_input[a][i]) * input[i][j];
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) half_filter[j] += detail::absolute(transform.of_filter[a][i]) * filter[i][j];
      for (int b = 0; b < size; ++b) {
        double whole_input = 0, whole_filter = 0;
        for (int j = 0; j < size; ++j) whole_input += half_input[j] * detail::absolute(transform.of_input[b][j]);
        for (int j = 0; j < 3; ++j) whole_filter += half_filter[j] * detail::absolute(transform.of_filter[b][j]);
        const double lost_input = lost_by(transform.of_input, size, a, b),
                     lost_filter = lost_by(transform.of_filter, 3, a, b);
        lost[a][b] += lost_input * whole_filter + lost_filter * whole_input + lost_input * lost_filter;
        const bool overflows = !(whole_input <= largest && whole_filter <= largest);
        products[a][b] += overflows ? detail::double_of(binary64_layout.infinity_bits()) : whole_input * whole_filter;
      }
    }
  }
  /// e_d or e_g.
  template <int Columns>
  [[nodiscard]] ASSAY_FUNCTION double lost_by(const double (&matrix)[6][Columns], int columns, int a, int b) const {
    double terms[2] = {}, magnified[2] = {};
    for (int j = 0; j < columns; ++j)
      for (int side = 0; side < 2; ++side) {
        const double factor = matrix[side == 0 ? a : b][j];
        terms[side] += factor != 0 ? 1 : 0;
        magnified[side] += detail::absolute(factor);
      }
    const double rows_first = terms[1] + terms[0] * magnified[1], columns_first = terms[0] + terms[1] * magnified[0];
    return 2 * (rows_first > columns_first ? rows_first : columns_first) * least;
  }
};

}  // namespace assay::inline v0
