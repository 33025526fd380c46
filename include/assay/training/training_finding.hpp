#pragma once

#include <string>

#include "assay/training/training_fault.hpp"

namespace assay {

/// What is wrong in recorded training.
struct TrainingFinding {
  TrainingFault fault = TrainingFault::unknown;
  int rank = -1;  ///< the guilty one; −1: all of them, or none in particular
  std::string text;
};

}  // namespace assay
