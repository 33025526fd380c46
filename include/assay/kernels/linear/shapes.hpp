#pragma once

#include <vector>

#include "assay/formats/block_schemes.hpp"
#include "assay/kernels/linear/problem.hpp"
#include "assay/kernels/operation.hpp"

namespace assay::inline v0 {

namespace detail {

/// Collects the default suite of linear layers.
struct LinearShapes {
  using enum FillKind;
  using Fills = std::vector<FillKind>;
  ElementFormat format;
  std::vector<OperationShape<LinearProblem>> shapes{};

  const Fills floats{normal,    uniform,  log_uniform, exact_integer, one_hot, constant,
                     canceling, swamping, near_tie,    subnormal,     extreme, special};
  const Fills core{normal, exact_integer, special};
  const Fills integers{normal, uniform, log_uniform, exact_integer, one_hot, constant, extreme};
  const Fills codes{normal, uniform, exact_integer, constant, extreme, special};
  bool first_round = true;

  LinearProblem& add(Index m, Index n, Index k, const Fills& fills, bool large = false);

  /// uint8 and int8; into int32 for float32, else through scales into the format or 8 bits again.
  void add_int8(const ElementFormat& a, const ElementFormat& b);

  void add_fused();

  void add_grouped();

  static void block_scale(LinearProblem& problem, const BlockScaling& a, const BlockScaling& b) {
    problem.a.storage = problem.b.storage = LinearStorage::block_scaled;
    problem.a.scheme = a;
    problem.b.scheme = b;
    problem.transpose_b = true;
  }

  void add_scaled();

  void add_weight_only();

  void add_sparse();

  void add_all();
};

}  // namespace detail

/// The default suite for inputs and outputs of a floating-point format: a small problem of each kind first, then all.
/// Primes, ragged ends of blocks, empty extents, shapes cut from BERT, Llama, Mixtral and DeepSeek; whole ones are
/// large. 8-bit integers are summed into int32 in the suite of float32, and scaled into the format in those of other
/// formats.
[[nodiscard]] inline std::vector<OperationShape<LinearProblem>> linear_shapes(const ElementFormat& format) {
  detail::LinearShapes shapes{format};
  shapes.add_all();
  return std::move(shapes.shapes);
}

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/kernels/linear/shapes.ipp"
#endif
