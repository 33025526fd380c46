#pragma once

#include <initializer_list>
#include <string>
#include <vector>

#include "assay/kernels/gemm/problem.hpp"
#include "assay/tensor/fill_kind.hpp"

namespace assay::inline v0 {

/// A problem and the patterns of data that it is tried on.
struct GemmShape {
  GemmProblem problem;
  std::vector<FillKind> fills;
  bool large = false;  ///< runs only when asked for
};

/// The default suite's problems: what breaks kernels (edges of tiles, empty and degenerate extents, primes, transposes,
/// strides, batches, α and β) and what models send (K of Llama-3 and BERT layers, no power of two among them). Outputs
/// are kept small where K is large, so that the reference stays affordable; full-size layers are tagged large.
[[nodiscard]] std::vector<GemmShape> default_gemm_shapes();

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/validators/gemm_shapes.ipp"
#endif
