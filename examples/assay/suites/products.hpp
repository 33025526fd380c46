#pragma once

#include "suites/host_gemm.hpp"

namespace assay_program {

/// A list of products, by their formats.
template <class... Products>
struct ProductList {
  /// Calls `visitor.operator()<Product>()` for each, in their order.
  template <class Visitor>
  static void visit(const Visitor& visitor) {
    (visitor.template operator()<Products>(), ...);
  }
};

/// Those that sum in a format that is wide enough for theirs.
using UsualProducts = ProductList<GemmF64, GemmF32, GemmF16ToF32, GemmF16, GemmBf16ToF32, GemmBf16>;

/// Of those the ones that devices are given: with outputs in the format of the inputs.
using DeviceProducts = ProductList<GemmF64, GemmF32, GemmF16, GemmBf16>;

}  // namespace assay_program
