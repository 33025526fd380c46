#pragma once

#include "assay/diagnosis/detail/stuck_loads.hpp"

#include <algorithm>

#include "assay/core/config.hpp"

namespace assay::inline v0::detail {

ASSAY_DETAIL_HEADER_INLINE std::optional<Diagnosis> StuckLoads::explanation() {
  for (const int position : float_inputs(case_)) {
    const Operand& operand = case_.before[position];
    if (operand.size() < 8) continue;
    const int highest = operand.format.layout.fraction_bits - 1;
    for (int bit = highest; bit >= 0 && bit > highest - 4; --bit)
      if (auto found = stuck(position, bit)) return found;
  }
  return std::nullopt;
}

ASSAY_DETAIL_HEADER_INLINE std::optional<Diagnosis> StuckLoads::stuck(int position, int bit) {
  const Index count = std::min(lanes, case_.before[position].size());
  std::vector<Index> silent;
  for (Index lane = 0; lane < count; ++lane) {
    if (late()) return std::nullopt;
    if (!reacts(position, bit, lane, 0)) silent.push_back(lane);
  }
  if (silent.empty() || 4 * static_cast<Index>(silent.size()) > count) return std::nullopt;
  const int other = bit > 0 ? bit - 1 : bit + 1;
  for (const Index lane : silent)
    for (std::uint64_t trial = 0; trial < trials; ++trial)
      if (late() || reacts(position, bit, lane, trial) || !reacts(position, other, lane, trial)) return std::nullopt;
  std::string which;
  for (const Index lane : silent) which += (which.empty() ? "" : ", ") + std::to_string(lane);
  return Diagnosis{
      FaultClass::state,
      "stuck_bit_of_load",
      Confidence::likely,
      {"the kernel sees the fraction bit " + std::to_string(bit) + " of " +
       case_.specs[static_cast<std::size_t>(position)].name + " everywhere but in the elements that are " + which +
       " modulo " + std::to_string(lanes) + ", of which it sees other bits: flipped there, it changes nothing"},
      {}};
}

ASSAY_DETAIL_HEADER_INLINE std::vector<std::uint64_t> StuckLoads::outputs_of(int position, int bit, Index lane,
                                                                             std::uint64_t trial) {
  while (irregular_.size() <= trial) {
    irregular_.emplace_back(case_.before);
    make_irregular(case_, irregular_.back(), irregular_.size());
  }
  SurroundedOperands operands(case_.specs, irregular_[static_cast<std::size_t>(trial)].array(), Surroundings::small);
  const Operand operand = operands.array()[position];
  for (Index element = lane; bit >= 0 && element < operand.size(); element += lanes) {
    const Index place = operand.offset_of(element);
    operand.format.store_code(operand.data, place,
                              operand.format.load_code(operand.data, place) ^ std::uint64_t{1} << bit);
  }
  std::vector<std::uint64_t> codes;
  if (!case_.rerun(operands.array())) return codes;
  for (std::size_t i = 0; i < case_.specs.size(); ++i) {
    const Operand& output = operands.array()[static_cast<int>(i)];
    if (case_.specs[i].role == OperandRole::input || !case_.specs[i].present) continue;
    for (Index element = 0; element < output.size(); ++element)
      codes.push_back(output.format.load_code(output.data, output.offset_of(element)));
  }
  return codes;
}

}  // namespace assay::inline v0::detail
