#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "assay/performance/direction.hpp"

namespace assay::inline v0 {

/// What is known of a unit.
struct UnitMeaning {
  std::string quantity;  ///< in its base unit: units of one quantity have one text, "s", "B/s", "s/op", …
  double factor = 1;     ///< how many of the base unit it is: 1e-3 for "ms"
  Direction direction = Direction::lower_is_better;
};

/// What a unit means, from a table of units of time, energy, memory, operations and what goes wrong ("drops",
/// "errors"), and of their quotients: anything per time ("tok/s", "ops/ms", "fps", "Gbps") gets better by rising, but
/// for what goes wrong, and a cost per anything ("ns/op", "J/token", "B/op") by falling. Nothing for all others
/// ("steps", "1", "%", "W"): somebody must say their direction then, since a wrong guess praises what got worse.
[[nodiscard]] std::optional<UnitMeaning> unit_meaning(std::string_view unit);

/// By what a number in the unit `from` is multiplied to be one in the unit `to`; nothing unless both are known units of
/// one quantity, or equal.
[[nodiscard]] std::optional<double> unit_ratio(std::string_view from, std::string_view to);

/// Whether nothing that was measured can be 0 or less in this unit: time, energy, cycles, and anything per time but
/// what goes wrong.
[[nodiscard]] bool always_takes_some(std::string_view unit);

/// Whether the unit counts what goes wrong ("drops", "errors", "retries/s"), of which 0 is what everybody wants.
[[nodiscard]] bool counts_faults(std::string_view unit);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/performance/unit.ipp"
#endif
