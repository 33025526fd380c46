#pragma once

#include <cmath>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "assay/collectives/coordinator.hpp"
#include "assay/core/outcome.hpp"
#include "assay/report/text.hpp"
#include "assay/training/detail/batch_gradient.hpp"
#include "assay/training/detail/exchange_buffer.hpp"
#include "assay/training/detail/gather_records.hpp"
#include "assay/training/detail/matrix_products.hpp"
#include "assay/training/training_fault.hpp"

namespace assay::inline v0 {

/// A perceptron y = silu(x·A + a)·B + b, split over ranks as Megatron-LM does: A by columns and B by rows, so that one
/// all_reduce in each direction is enough. Shoeybi et al., "Megatron-LM: training multi-billion parameter language
/// models using model parallelism", 2019, §3.
struct TensorParallelOptions {
  Index rows = 24, width = 20, hidden = 50;   ///< of x and A; the hidden units are split as evenly as can be
  std::uint64_t seed = 1;                     ///< of the data
  std::chrono::milliseconds deadline{30000};  ///< for one collective
};

/// What one rank computed: outputs and the gradient of x, which all ranks must have alike, and gradients of its own
/// columns of A and rows of B.
struct TensorParallelRecord {
  /// The rank, and how many there are.
  int rank = 0, size = 1;
  /// See above, row-major.
  std::vector<float> output, input_gradient, up_gradient, up_bias_gradient, down_gradient, down_bias_gradient;

  /// Gives all members to an archive, in the order of the file.
  template <class Archive>
  void members(Archive& archive) {
    archive(rank, size, output, input_gradient, up_gradient, up_bias_gradient, down_gradient, down_bias_gradient);
  }
};

namespace detail {

/// All data of the perceptron: x, A, a, B, b and the gradient of y.
struct PerceptronData {
  std::vector<float> x, up, up_bias, down, down_bias, gradient;

  explicit PerceptronData(const TensorParallelOptions& options);
};

/// The passes over hidden units [begin, end): parts of y, without b, and of the gradient of x; and gradients of their
/// columns and rows.
template <class Real>
struct PerceptronPass {
  std::vector<Real> output, input_gradient, up_gradient, up_bias_gradient, down_gradient, down_bias_gradient;
  std::vector<Real> output_magnitude, input_magnitude;  ///< Σ|terms|

  PerceptronPass(const TensorParallelOptions& options, const PerceptronData& data, RankShare units,
                 RankShare rows_of_down) {
    const Index d = options.width, h = units.count(), rows = options.rows;
    const auto in = [](const std::vector<float>& values) { return std::vector<Real>(values.begin(), values.end()); };
    const std::vector<Real> x = in(data.x), dy = in(data.gradient);
    std::vector<Real> up, up_bias, down;
    for (Index k = 0; k < d; ++k)
      for (Index unit = units.begin; unit < units.end; ++unit)
        up.push_back(static_cast<Real>(data.up[static_cast<std::size_t>(k * options.hidden + unit)]));
    for (Index unit = units.begin; unit < units.end; ++unit)
      up_bias.push_back(static_cast<Real>(data.up_bias[static_cast<std::size_t>(unit)]));
    for (Index unit = rows_of_down.begin; unit < rows_of_down.end; ++unit)
      for (Index e = 0; e < d; ++e)
        down.push_back(static_cast<Real>(data.down[static_cast<std::size_t>(unit * d + e)]));
    down.resize(static_cast<std::size_t>(h * d));
    std::vector<Real> raised(static_cast<std::size_t>(rows * h)), active(raised.size()), dactive(raised.size());
    output.resize(static_cast<std::size_t>(rows * d));
    input_gradient.resize(output.size());
    up_gradient.resize(up.size());
    up_bias_gradient.resize(up_bias.size());
    down_gradient.resize(down.size());
    down_bias_gradient.resize(static_cast<std::size_t>(d));
    multiply(x.data(), up.data(), up_bias.data(), raised.data(), rows, d, h);
    for (std::size_t i = 0; i < raised.size(); ++i) active[i] = raised[i] / (1 + std::exp(-raised[i]));
    multiply<Real>(active.data(), down.data(), nullptr, output.data(), rows, h, d);
    multiply_backward(active.data(), down.data(), dy.data(), down_gradient.data(), down_bias_gradient.data(),
                      dactive.data(), rows, h, d);
    for (std::size_t i = 0; i < raised.size(); ++i) {
      const Real sigmoid = 1 / (1 + std::exp(-raised[i]));
      dactive[i] *= sigmoid * (1 + raised[i] * (1 - sigmoid));
    }
    multiply_backward(x.data(), up.data(), dactive.data(), up_gradient.data(), up_bias_gradient.data(),
                      input_gradient.data(), rows, d, h);
    output_magnitude.resize(output.size());
    input_magnitude.resize(output.size());
    for (Index row = 0; row < rows; ++row)
      for (Index unit = 0; unit < h; ++unit)
        for (Index e = 0; e < d; ++e) {
          output_magnitude[static_cast<std::size_t>(row * d + e)] += std::fabs(
              active[static_cast<std::size_t>(row * h + unit)] * down[static_cast<std::size_t>(unit * d + e)]);
          input_magnitude[static_cast<std::size_t>(row * d + e)] +=
              std::fabs(dactive[static_cast<std::size_t>(row * h + unit)] * up[static_cast<std::size_t>(e * h + unit)]);
        }
  }
};

}  // namespace detail

/// Runs this rank's part. Every rank calls it with equal options. Errors: the collective's. O(rows · width ·
/// hidden/size).
[[nodiscard]] Result<TensorParallelRecord> run_tensor_parallel(AnyCollective& collective,
                                                               const TensorParallelOptions& options,
                                                               TensorParallelFault fault = TensorParallelFault::none,
                                                               int faulty_rank = 1);

/// Every rank's record, on every rank.
[[nodiscard]] inline Result<std::vector<TensorParallelRecord>> gather_tensor_parallel(
    Coordinator& coordinator, const Result<TensorParallelRecord>& mine, Deadline deadline) {
  return detail::gather_records(coordinator, mine, deadline);
}

/// Whether the split perceptron is the whole one:
///
/// - gradients of A, a, B and b are those of the whole, bit for bit: each is computed on one rank, by the same sums;
/// - y and the gradient of x are the same bits on all ranks, and lie within γ_{h+d+n+8}·Σ|terms| of the exact sums (h
///   hidden units, n ranks; d and 8 are for what the terms themselves were rounded by: sums of d products, bias, the
///   activation and its slope, doubled for their condition).
///
/// A violation is held against what each fault would have given. `name` is the subject's. `records` are those of all
/// ranks, in their order.
[[nodiscard]] Outcome check_tensor_parallel(const std::string& name, const TensorParallelOptions& options,
                                            std::span<const TensorParallelRecord> records);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/training/tensor_parallel.ipp"
#endif
