#pragma once

#include <string>
#include <vector>

#include "assay/core/misuse.hpp"

namespace assay::inline v0 {

/// Texts of a system beside those of the reference: sample i of one belongs to sample i of the other.
struct TextPairs {
  std::vector<std::string> hypotheses;               ///< UTF-8
  std::vector<std::vector<std::string>> references;  ///< one at least for each hypothesis

  /// Appends a sample that has one reference.
  void add(std::string hypothesis, std::string reference) {
    hypotheses.push_back(std::move(hypothesis));
    references.push_back({std::move(reference)});
  }
};

namespace detail {

inline void expect_pairs(const TextPairs& pairs, const char* function) {
  expect(pairs.hypotheses.size() == pairs.references.size(), [&] {
    return std::string(function) + " was given " + std::to_string(pairs.hypotheses.size()) + " hypotheses and " +
           std::to_string(pairs.references.size()) + " sets of references; give one set for each";
  });
  for (const auto& references : pairs.references)
    expect(!references.empty(), [&] { return std::string(function) + " was given a sample without references"; });
}

}  // namespace detail
}  // namespace assay::inline v0
