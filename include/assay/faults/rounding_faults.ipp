#pragma once

#include "assay/faults/rounding_faults.hpp"

#include <algorithm>

#include "assay/core/config.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE const std::vector<RoundingFault>& rounding_faults() {
  using enum FaultClass;
  static const std::vector<RoundingFault> all{
      {{"rounded_toward_zero", rounding, "cuts results off instead of rounding them to nearest", {}},
       [](double value, const ElementFormat& format, Index) { return format.encode(value, Rounding::toward_zero); }},
      {{"rounded_away_from_zero", rounding, "rounds results away from zero", {}},
       [](double value, const ElementFormat& format, Index) {
         const std::uint64_t cut = format.encode(value, Rounding::toward_zero);
         const bool exact = !is_finite(value) || format.decode(cut) == value;
         return exact || (format.decode(cut) == format.max_finite() || format.decode(cut) == -format.max_finite())
                    ? format.encode(value)
                    : cut + 1;
       }},
      {{"rounded_at_random", rounding, "rounds results up or down at random", {}},
       [](double value, const ElementFormat& format, Index element) {
         const std::uint64_t cut = format.encode(value, Rounding::toward_zero), near = format.encode(value);
         return detail::splitmix64_finalize(static_cast<std::uint64_t>(element) + 1) % 2 == 0 ? cut : near;
       }},
      {{"rounded_twice", rounding, "rounds results to two more bits first", {}},
       [](double value, const ElementFormat& format, Index) {
         FloatLayout wider = format.layout;
         wider.fraction_bits += 2;
         return format.encode(is_finite(value) && wider.fraction_bits < 52 && wider.exponent_bits > 4
                                  ? decode(wider, encode(wider, value))
                                  : value);
       }}};
  return all;
}

namespace detail {

ASSAY_DETAIL_HEADER_INLINE Result<void> launch_misrounded(const RoundingFault& fault,
                                                          const std::vector<OperandSpec>& specs,
                                                          const OperandArray& operands, const LaunchKernel& run) {
  const auto rounded = [&](const OperandSpec& spec) {
    return spec.role != OperandRole::input && spec.present && spec.format.is_float();
  };
  const auto of_an_output = [&](const ElementFormat& format) {
    return std::any_of(specs.begin(), specs.end(),
                       [&](const OperandSpec& spec) { return rounded(spec) && format == spec.format; });
  };
  OperandArray wide = operands;
  std::vector<std::vector<double>> storage(specs.size());
  for (std::size_t i = 0; i < specs.size(); ++i) {
    Operand& own = wide[static_cast<int>(i)];
    if (!specs[i].present || !of_an_output(own.format)) continue;
    const Operand& narrow = operands[static_cast<int>(i)];
    storage[i].resize(static_cast<std::size_t>(narrow.size()) + 1);
    own.data = storage[i].data();
    own.guard_bytes = 0;
    own.format = element_format<float64>();
    Index stride = 1;
    for (int d = own.rank - 1; d >= 0; stride *= own.extents[d--]) own.strides[d] = stride;
    if (specs[i].role != OperandRole::output)
      for (Index e = 0; e < narrow.size(); ++e) own.store(e, narrow.load(e));
  }
  if (auto done = run(wide); !done) return done;
  for (std::size_t i = 0; i < specs.size(); ++i) {
    const Operand& narrow = operands[static_cast<int>(i)];
    if (!rounded(specs[i])) continue;
    for (Index e = 0; e < narrow.size(); ++e)
      narrow.format.store_code(narrow.data, narrow.offset_of(e),
                               fault.round(wide[static_cast<int>(i)].load(e), narrow.format, e));
  }
  return {};
}

}  // namespace detail

}  // namespace assay::inline v0
