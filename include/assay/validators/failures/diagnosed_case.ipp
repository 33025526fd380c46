#pragma once

#include "assay/validators/failures/diagnosed_case.hpp"

#include "assay/core/config.hpp"

namespace assay::inline v0::detail {

ASSAY_DETAIL_HEADER_INLINE Operand& ChangedOperands::own(int position) {
  Operand& operand = array_[position];
  auto made = OperandTensor<Host>::create(host_, stream_.value(), operand.format,
                                          std::vector<Index>(operand.extents, operand.extents + operand.rank));
  if (!made) return operand;
  tensors_.push_back(std::move(made).value());
  const Operand original = operand;
  operand = tensors_.back().view();
  const Index size = original.size();
  if (original.is_dense() && size > 0) {
    std::memcpy(operand.data, original.data, static_cast<std::size_t>(size * original.format.bytes));
    return operand;
  }
  for (Index element = 0; element < size; ++element)
    operand.format.store_code(operand.data, element,
                              original.format.load_code(original.data, original.offset_of(element)));
  return operand;
}

}  // namespace assay::inline v0::detail
