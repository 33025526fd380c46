#pragma once

#include "assay/pipeline/pipeline.hpp"

#include <algorithm>

#include "assay/core/config.hpp"
#include "assay/core/misuse.hpp"

namespace assay::inline v0 {

namespace detail {

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE const StageOutput* output_named(const std::vector<StageOutput>& outputs,
                                                                         const std::string& name) {
  const auto found =
      std::find_if(outputs.begin(), outputs.end(), [&](const StageOutput& output) { return output.stage == name; });
  return found == outputs.end() ? nullptr : &*found;
}

ASSAY_DETAIL_HEADER_INLINE void expect_pipeline(const Pipeline& pipeline) {
  std::vector<std::string> earlier;
  for (const Stage& stage : pipeline.stages) {
    const auto known = [&](const std::string& name) {
      return std::find(earlier.begin(), earlier.end(), name) != earlier.end();
    };
    expect(!known(stage.name) && stage.run != nullptr, [&] {
      return "the pipeline '" + pipeline.name + "' has the stage '" + stage.name + "' twice, or without a function";
    });
    for (const std::string& input : stage.inputs)
      expect(known(input),
             [&] { return "the stage '" + stage.name + "' takes from '" + input + "', which is no stage before it"; });
    earlier.push_back(stage.name);
  }
}

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE StageOutput run_stage(const Stage& stage,
                                                               const std::vector<StageOutput>& available) {
  StageOutput output;
  output.stage = stage.name;
  std::vector<const StageValue*> inputs;
  for (const std::string& name : stage.inputs) {
    const StageOutput* const source = output_named(available, name);
    if (source == nullptr || !source->value) {
      output.value = failure(ErrorKind::aborted, "its input '" + name + "' is not there");
      return output;
    }
    inputs.push_back(&source->value.value());
  }
  output.value = stage.run(inputs);
  return output;
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE std::vector<StageOutput> run_free(const Pipeline& pipeline) {
  detail::expect_pipeline(pipeline);
  std::vector<StageOutput> outputs;
  for (const Stage& stage : pipeline.stages) outputs.push_back(detail::run_stage(stage, outputs));
  return outputs;
}

ASSAY_DETAIL_HEADER_INLINE std::vector<StageOutput> run_fed(const Pipeline& pipeline,
                                                            const std::vector<StageOutput>& fed) {
  detail::expect_pipeline(pipeline);
  std::vector<StageOutput> outputs;
  for (const Stage& stage : pipeline.stages) outputs.push_back(detail::run_stage(stage, fed));
  return outputs;
}

}  // namespace assay::inline v0
