#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "assay/core/result.hpp"
#include "assay/kernels/operation.hpp"
#include "assay/kernels/operation_names.hpp"
#include "assay/tensor/operand.hpp"

namespace assay::inline v0 {

/// A tensor in host memory as somebody's program has it: it is read, never written, and only while it is checked.
struct GivenTensor {
  Operand view;                  ///< data, format, extents, strides
  Index elements_there = -1;     ///< that its memory holds; −1: nobody knows
  const void* before = nullptr;  ///< of operands that are updated in place: what they held before, stored alike
  std::string wrong;             ///< why there is no view; empty if there is one

  /// What else has a view: a DLPack tensor by `dlpack_operand`, for instance.
  GivenTensor(const Operand& operand) : view(operand) {}  // NOLINT: tensors stand in lists
  /// Row-major where there are no strides, which are in elements. How many elements there are is taken on trust.
  template <Format T>
  GivenTensor(const T* data, const std::vector<Index>& extents, const std::vector<Index>& strides = {}) {
    look_at(data, element_format<T>(), extents, strides);
  }
  /// The elements of a vector, an array or a span.
  template <class Elements>
  requires requires(const Elements& elements) {
    { elements.size() } -> std::convertible_to<std::size_t>;
    requires Format<std::remove_cvref_t<decltype(*elements.data())>>;
  }
  GivenTensor(const Elements& elements, const std::vector<Index>& extents, const std::vector<Index>& strides = {})
      : GivenTensor(elements.data(), extents, strides) {
    elements_there = static_cast<Index>(elements.size());
  }
  /// `format` is chosen at run time.
  GivenTensor(const void* data, const ElementFormat& format, const std::vector<Index>& extents,
              const std::vector<Index>& strides = {}) {
    look_at(data, format, extents, strides);
  }

 private:
  void look_at(const void* data, const ElementFormat& format, const std::vector<Index>& extents,
               const std::vector<Index>& strides);
};

namespace detail {

/// The tensors in the places of their specs: those that are present, in their order. Checks number, formats, extents
/// (leading or other neighboring dimensions may be split further than the operation has them), that memory is there and
/// large enough, and that no output shares memory with another operand. Errors: `invalid`, naming the operand.
[[nodiscard]] Result<OperandArray> given_operands(const std::vector<OperandSpec>& specs,
                                                  const std::vector<GivenTensor>& tensors, const std::string& problem);

/// The codes of all elements, row-major.
[[nodiscard]] std::vector<std::uint64_t> codes_of(const Operand& operand);

}  // namespace detail

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/validators/given_tensor.ipp"
#endif
