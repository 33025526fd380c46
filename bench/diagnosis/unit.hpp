#pragma once

#include "assay/faults.hpp"
#include "diagnosis/parts.hpp"

namespace diagnosis_bench {

template <std::size_t Unit, std::size_t Place, class Op>
void add_if_own(std::vector<Part>& parts) {
  if constexpr (Place % unit_count == Unit) parts.push_back({Op::name(), &assay::name_faults<Op>});
}

template <std::size_t Unit, class... Ops, std::size_t... Places>
void add_own(std::vector<Part>& parts, assay::Operations<Ops...>, std::index_sequence<Places...>) {
  (add_if_own<Unit, Places, Ops>(parts), ...);
}

template <std::size_t Unit, class... Ops>
void add_own(std::vector<Part>& parts, assay::Operations<Ops...> operations) {
  add_own<Unit>(parts, operations, std::index_sequence_for<Ops...>());
}

template <std::size_t Unit>
std::vector<Part> parts_of_unit() {
  std::vector<Part> parts;
  add_own<Unit>(parts, assay::AllOperations());
  return parts;
}

}  // namespace diagnosis_bench
