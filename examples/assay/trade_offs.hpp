#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "assay/accuracy/pareto.hpp"
#include "assay/core/result.hpp"

namespace assay_program {

/// Ways to run a model, and what `accuracy` is of them.
struct TradeOffs {
  std::vector<assay::TradeOff> ways;
  std::string metric = "accuracy";
  bool higher_is_better = true;
};

/// JSON lines of `name`, `accuracy`, `bytes`, and where there are any `lower`, `upper`, `seconds`, `seconds_lower`,
/// `seconds_upper`; `metric` and `higher_is_better` must be the same in all lines. Error `malformed` with the line.
[[nodiscard]] assay::Result<TradeOffs> parse_trade_offs(std::string_view text, const std::string& name);

}  // namespace assay_program
