#pragma once

#include <functional>
#include <string>
#include <vector>

#include "assay/core/result.hpp"
#include "assay/pipeline/compare_stage.hpp"
#include "assay/pipeline/stage_value.hpp"

namespace assay::inline v0 {

/// One step of an application: decode, resize, normalize, tokenize, model, decode again.
struct Stage {
  std::string name;                 ///< unique within the pipeline
  std::vector<std::string> inputs;  ///< names of earlier stages whose outputs it takes; none: it makes its own
  /// The outputs of `inputs`, in their order, become its own.
  std::function<Result<StageValue>(const std::vector<const StageValue*>&)> run;
  StageBound bound;  ///< of the reference's stage: what another implementation may be off
};

/// An application as its stages, each after those that it takes from.
struct Pipeline {
  std::string name;  ///< for messages and ids
  std::vector<Stage> stages;
};

/// What a stage made, or why it did not.
struct StageOutput {
  std::string stage;
  Result<StageValue> value = failure(ErrorKind::aborted, "a stage before it failed");  ///< what it made
};

namespace detail {

/// The output of that stage; null where there is none.
[[nodiscard]] const StageOutput* output_named(const std::vector<StageOutput>& outputs, const std::string& name);

}  // namespace detail

/// Runs all stages on each other's outputs. Misuse: names twice, inputs that are no earlier stage, a stage without
/// `run`.
[[nodiscard]] std::vector<StageOutput> run_free(const Pipeline& pipeline);

/// Runs each stage on `fed`, the outputs of another implementation by the same names, so that no error of an earlier
/// stage reaches it. Stages without inputs run as they are. Misuse: as above.
[[nodiscard]] std::vector<StageOutput> run_fed(const Pipeline& pipeline, const std::vector<StageOutput>& fed);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/pipeline/pipeline.ipp"
#endif
