#pragma once

#include <map>
#include <string>
#include <vector>

#include "assay/baselines/golden_tensor.hpp"
#include "assay/core/environment.hpp"
#include "assay/core/measurement.hpp"

namespace assay::inline v0 {

/// What a baseline is of: a test, and all that decides what its output is but the software and hardware under test.
struct BaselineSubject {
  std::string test;                                  ///< stable, such as the id of a case
  std::string output;                                ///< the name of the output; may be empty
  std::map<std::string, std::string> configuration;  ///< "seed", versions of the data, …

  friend bool operator==(const BaselineSubject&, const BaselineSubject&) = default;
};

/// A golden output with all that one wants to know of it years later.
struct BaselineRecord {
  std::string key;  ///< of `subject`, see `baseline_key`
  BaselineSubject subject;
  GoldenTensor tensor;
  std::vector<Measurement> metrics;   ///< told, not compared: measurements scatter, and belong to a history
  std::string tolerance = "derived";  ///< by which outputs are compared with it, as `tolerance_named` reads it
  Environment environment;            ///< of what made it
  std::string created_at;             ///< UTC, ISO 8601
  std::string approved_by;            ///< empty: nobody yet
  std::string approved_at;            ///< UTC, ISO 8601
  std::string replaces;               ///< digest of the tensor that this one took the place of; empty if of none
  std::string note;                   ///< whatever people want to remember
};

}  // namespace assay::inline v0
