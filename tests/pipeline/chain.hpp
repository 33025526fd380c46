#pragma once

#include "assay/pipeline/pipeline.hpp"

namespace assay::testing {

/// x → 2x → 2x + 1 → …: a chain of `length` stages; the one at `faulty` adds `error`.
inline Pipeline chain(std::size_t length, std::size_t faulty, double error) {
  Pipeline pipeline{"chain", {}};
  for (std::size_t i = 0; i < length; ++i) {
    Stage stage;
    stage.name = "s" + std::to_string(i);
    if (i > 0) stage.inputs = {"s" + std::to_string(i - 1)};
    stage.bound.absolute = 0.01;
    stage.run = [i, faulty, error](const std::vector<const StageValue*>& inputs) -> Result<StageValue> {
      double value = inputs.empty() ? 1 : 2 * std::get<StageTensor>(*inputs[0]).values[0] + 1;
      if (i == faulty) value += error;
      return StageValue(StageTensor{{1}, {value}});
    };
    pipeline.stages.push_back(std::move(stage));
  }
  return pipeline;
}

}  // namespace assay::testing
