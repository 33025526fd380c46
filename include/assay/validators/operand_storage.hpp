#pragma once

#include "assay/tensor/strided_view.hpp"

namespace assay::inline v0 {

/// Where the operands of a case lie: beside dense and aligned, kernels must serve rows with gaps and odd addresses.
struct OperandStorage {
  Index row_padding = 0;   ///< elements between the rows of operands of two dimensions or more
  Index misalignment = 0;  ///< elements behind a 64-byte boundary
};

}  // namespace assay::inline v0
