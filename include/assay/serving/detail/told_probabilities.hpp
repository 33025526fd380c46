#pragma once

#include <map>
#include <string>
#include <string_view>

#include "assay/core/config.hpp"
#include "assay/core/result.hpp"

namespace assay::inline v0::detail {

/// What a server tells of the first token of an answer.
struct ToldProbabilities {
  std::string token;                            ///< that was drawn
  std::map<std::string, double> probabilities;  ///< of the likeliest, by token; what is missing to 1 is of others
};

/// From an answer that is not streamed, of either interface and in either form of `logprobs`. Errors: `unsupported`: none
/// are told; `malformed`: probabilities above 1, or that sum to more.
[[nodiscard]] Result<ToldProbabilities> told_probabilities(std::string_view body);

}  // namespace assay::inline v0::detail

#if !defined(ASSAY_COMPILED)
#include "assay/serving/detail/told_probabilities.ipp"
#endif
