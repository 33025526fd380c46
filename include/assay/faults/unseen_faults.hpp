#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace assay::inline v0 {

/// Faults that no suite of operations can see in the outputs, every one in every operation that stands beside it. No
/// formats mean all of them.
struct UnseenFaults {
  std::vector<std::string_view> operations;  ///< none: all but `others`
  std::string_view formats;
  std::vector<std::string_view> faults;    ///< names of faults
  std::string_view why;                    ///< the proof, in one sentence
  std::vector<std::string_view> others{};  ///< the exceptions where `operations` are none
};

/// All of them. What is not among them is caught by the operation's default suite.
[[nodiscard]] const std::vector<UnseenFaults>& invisible_faults();

/// Why a fault is invisible in an operation; empty where it is not.
[[nodiscard]] std::string proof_of_invisibility(std::string_view operation, std::string_view fault,
                                                std::string_view formats = {});

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/faults/unseen_faults.ipp"
#endif
