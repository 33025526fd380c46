#pragma once

#include <cstddef>
#include <utility>

#include "assay/backends/parallel_backend.hpp"
#include "assay/tensor/operand.hpp"

namespace assay::inline v0 {

namespace detail {

/// One element, counted in row-major order: on devices neighboring threads write neighboring elements.
template <class Values>
struct FillOperandElement {
  Operand operand;
  Values values;

  ASSAY_FUNCTION void operator()(std::size_t index) const {
    const auto element = static_cast<Index>(index);
    if constexpr (requires { values.random_codes; })
      if (values.random_codes)
        return operand.format.store_code(operand.data, operand.offset_of(element),
                                         values.code(operand.format, element));
    operand.store(element, values(element));
  }
};

}  // namespace detail

/// Writes `value_of(element)` into every element of an operand, counted in row-major order.
template <class Values>
struct FillOperandChunk {
  static constexpr Index chunk = 4096;
  Operand operand;
  Values values;

  ASSAY_FUNCTION void operator()(std::size_t index) const {
    const Index size = operand.size(), first = static_cast<Index>(index) * chunk,
                last = first + chunk < size ? first + chunk : size;
    if constexpr (requires { values.random_codes; })
      if (values.random_codes) {
        for (Index element = first; element < last; ++element)
          operand.format.store_code(operand.data, operand.offset_of(element), values.code(operand.format, element));
        return;
      }
    for (Index element = first; element < last; ++element) operand.store(element, values(element));
  }
};

/// Fills an operand with `values(element)`, rounded to nearest; `values` is a trivially copyable functor on the
/// backend. Asynchronous. O(elements).
template <ParallelBackend B, class Values>
[[nodiscard]] Result<void> fill_operand(B& backend, typename B::Stream& stream, const Operand& operand,
                                        const Values& values) {
  using Chunk = FillOperandChunk<Values>;
  if constexpr (!backend_runs_on_host<B>)
    return backend.parallel_for(stream, static_cast<std::size_t>(operand.size()),
                                detail::FillOperandElement<Values>{operand, values});
  return backend.parallel_for(stream, static_cast<std::size_t>((operand.size() + Chunk::chunk - 1) / Chunk::chunk),
                              Chunk{operand, values});
}

}  // namespace assay::inline v0
