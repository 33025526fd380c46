#pragma once

#include "assay/tensor/operand.hpp"

namespace assay::inline v0::detail {

template <class T>
[[nodiscard]] Operand operand_of(const StridedView<T, 3>& view) {
  Operand operand;
  operand.data = const_cast<std::remove_const_t<T>*>(view.data);
  operand.format = element_format<std::remove_const_t<T>>();
  operand.rank = 3;
  for (std::size_t d = 0; d < 3; ++d) operand.extents[d] = view.extents[d], operand.strides[d] = view.strides[d];
  return operand;
}

}  // namespace assay::inline v0::detail
