#pragma once

#include <optional>
#include <string>
#include <vector>

#include "accuracy_options.hpp"
#include "assay/accuracy/accuracy_outcome.hpp"
#include "assay/accuracy/detection.hpp"
#include "assay/accuracy/sample_file.hpp"
#include "assay/core/result.hpp"

namespace assay_program {

/// What a file of predictions scored.
struct ScoredFile {
  assay::Score score;
  std::vector<std::string> broken;                       ///< samples answered with NaN, by file and line or position
  std::vector<std::string> notes;                        ///< what a reader must know of the data
  std::optional<assay::DetectionEvaluation> detections;  ///< of map
  assay::SampleFile samples;  ///< ids of what was scored without references, in the order of the score's statistics
};

/// Reads the files and computes the metric that the options name, of `predictions`; where it is to be paired with
/// another file's score, of the same samples in the same order. Errors name file and line; `malformed` are samples that
/// one of two files to be paired lacks.
[[nodiscard]] assay::Result<ScoredFile> score_file(const AccuracyOptions& options, const std::string& predictions,
                                                   const ScoredFile* paired = nullptr);

}  // namespace assay_program
