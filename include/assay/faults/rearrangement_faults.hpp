#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "assay/faults/operation_faults.hpp"
#include "assay/kernels/rearrangement/rearrangement.hpp"

namespace assay::inline v0 {

namespace detail {

/// A rearrangement that moves codes in some order, or with a fault.
struct EmulatedRearrangement {
  enum class Order { rising, falling, tiles, by_value_but_for_nan };
  Order order = Order::rising;
  std::string_view fault = "";

  [[nodiscard]] RearrangementProblem misread(RearrangementProblem problem) const;
  [[nodiscard]] std::uint64_t spoiled(const ElementFormat& format, std::uint64_t code) const;
  [[nodiscard]] std::uint64_t code_of(const RearrangementExpected& source, const RearrangementProblem& problem,
                                      Index element) const;

  void operator()(const RearrangementProblem& problem, const OperandArray& operands) const {
    const Operand& output = operands[problem.parts];
    RearrangementExpected source = Rearrangement::expected_of(misread(problem), operands);
    const Index size = output.size(), columns = output.extents[output.rank - 1];
    std::vector<Index> elements;
    for (Index element = 0; element < size; ++element)
      elements.push_back(order == Order::falling ? size - 1 - element : element);
    if (order == Order::tiles)
      std::sort(elements.begin(), elements.end(),
                [&](Index a, Index b) { return std::pair(a % columns / 16, a) < std::pair(b % columns / 16, b); });
    for (const Index element : elements) {
      std::uint64_t code = code_of(source, problem, element);
      if (order == Order::by_value_but_for_nan && !is_nan(output.format.decode(code)))
        code = output.format.encode(output.format.decode(code));
      if (fault == "tile_tail_missing" && columns > 16 && element % columns >= columns / 16 * 16) code = 0;
      output.format.store_code(output.data, output.offset_of(element), spoiled(output.format, code));
    }
  }
};

}  // namespace detail

template <>
struct OperationFaults<Rearrangement> {
  [[nodiscard]] static std::vector<Fault> faults() {
    using enum FaultClass;
    const std::vector<std::string> operations{"permute", "slice", "pad", "concat", "im2col"};
    return {{"payload_lost", special_value, "copies by value: NaNs lose their payloads", operations},
            {"sign_of_zero_lost", special_value, "makes 0 of -0", operations},
            {"flushed", special_value, "flushes subnormal numbers to zero", operations},
            {"narrowed", precision, "copies by way of bfloat16", operations},
            {"tile_tail_missing", missing_work, "leaves columns behind the last whole tile of 16 zero", operations},
            {"wrong_order", addressing, "exchanges the first two dimensions of a permutation", {"permute"}},
            {"start_ignored", addressing, "slices from the beginning", {"slice"}},
            {"step_ignored", addressing, "slices neighbors whatever the step", {"slice"}},
            {"sides_exchanged", addressing, "exchanges the padding before and after", {"pad", "im2col"}},
            {"zero_padding", special_value, "pads with zeros whatever is asked for", {"pad"}},
            {"edge_reflected", addressing, "repeats the border's element when it reflects", {"pad"}},
            {"part_repeated", addressing, "reads the first part for all of them", {"concat"}},
            {"window_before_channels", addressing, "orders the rows of im2col by window before channels", {"im2col"}},
            {"dilation_ignored", addressing, "ignores the dilation of im2col", {"im2col"}}};
  }
  [[nodiscard]] static OperationSubject<Rearrangement> faulty(std::string_view name) {
    return host_subject<Rearrangement>(
        std::string(name),
        detail::EmulatedRearrangement{detail::EmulatedRearrangement::Order::rising, own_fault<Rearrangement>(name)});
  }
  [[nodiscard]] static std::vector<OperationSubject<Rearrangement>> correct() {
    using Kernel = detail::EmulatedRearrangement;
    return {host_subject<Rearrangement>("rising", Kernel{Kernel::Order::rising}),
            host_subject<Rearrangement>("falling", Kernel{Kernel::Order::falling}),
            host_subject<Rearrangement>("tiles", Kernel{Kernel::Order::tiles}),
            host_subject<Rearrangement>("by_value_but_for_nan", Kernel{Kernel::Order::by_value_but_for_nan})};
  }
};

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/faults/rearrangement_faults.ipp"
#endif
