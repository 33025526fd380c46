#pragma once

#include <optional>
#include <string>
#include <vector>

#include "assay/core/outcome.hpp"
#include "assay/pipeline/pipeline.hpp"

namespace assay::inline v0 {

/// One stage of two implementations.
struct StageDivergence {
  std::string stage;
  StageBound bound;
  std::optional<StageComparison> fed;   ///< on the reference's inputs: whether this stage is to blame
  std::optional<StageComparison> free;  ///< on its own inputs: what has come of all before it
  std::string trouble;                  ///< why one of them is missing; empty if none is
};

/// Where two implementations part.
struct Divergence {
  std::vector<StageDivergence> stages;  ///< in their order
  std::vector<std::string> guilty;      ///< stages that are beyond their bound on the reference's own inputs
  std::string first_visible;            ///< first stage beyond its bound where all runs free; empty if none
  bool fed_given = false;               ///< outputs on the reference's inputs were given, readable or not
};

/// Compares by name: `reference` ran free, `free` and `fed` are the candidate's outputs of the two ways to run it;
/// `fed` may be empty, where only one way was recorded: then nobody is called guilty. O(elements).
[[nodiscard]] Divergence find_divergence(const std::vector<StageOutput>& reference,
                                         const std::vector<StageOutput>& free, const std::vector<StageOutput>& fed,
                                         const std::vector<StageBound>& bounds);

/// Runs both pipelines, of the same stages by name, the candidate in both ways. Misuse: stages that differ in name or
/// order; as `run_free`.
[[nodiscard]] Divergence find_divergence(const Pipeline& reference, const Pipeline& candidate);

/// An outcome a stage, `pipeline/<name>/<stage>`, and one of the whole, `pipeline/<name>`, that names the guilty and
/// has the table of errors and amplification. A stage that cannot be compared in a way that was given is an error,
/// unless the other way fails it; one that is beyond its bound only since earlier ones are passes, and says so; where
/// nothing was given on the reference's inputs, one beyond its bound is inconclusive, and the whole fails.
[[nodiscard]] std::vector<Outcome> divergence_outcomes(const std::string& name, const Divergence& divergence);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/pipeline/divergence.ipp"
#endif
