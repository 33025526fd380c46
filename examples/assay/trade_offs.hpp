#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "assay/accuracy/pareto.hpp"
#include "assay/core/result.hpp"

namespace assay_program {

/// JSON lines of `name`, `accuracy`, `bytes`, and where there are any `lower`, `upper`, `seconds`. Error `malformed`
/// with the line.
[[nodiscard]] assay::Result<std::vector<assay::TradeOff>> parse_trade_offs(std::string_view text,
                                                                           const std::string& name);

}  // namespace assay_program
