#pragma once

#include "assay/serving/detail/told_probabilities.hpp"

#include <cmath>
#include <nlohmann/json.hpp>

#include "assay/report/text.hpp"

namespace assay::inline v0::detail {

ASSAY_DETAIL_HEADER_INLINE Result<ToldProbabilities> told_probabilities(std::string_view body) {
  const auto json = nlohmann::json::parse(body, nullptr, false);
  ToldProbabilities told;
  try {
    const auto& logprobs = json.at("choices").at(0).at("logprobs");
    if (logprobs.contains("content") && logprobs.at("content").is_array()) {
      const auto& first = logprobs.at("content").at(0);
      told.token = first.at("token").get<std::string>();
      for (const auto& entry : first.at("top_logprobs"))
        told.probabilities[entry.at("token").get<std::string>()] += std::exp(entry.at("logprob").get<double>());
    } else {
      told.token = logprobs.at("tokens").at(0).get<std::string>();
      for (const auto& [token, logprob] : logprobs.at("top_logprobs").at(0).items())
        told.probabilities[token] += std::exp(logprob.get<double>());
    }
  } catch (const nlohmann::json::exception&) {
    return failure(ErrorKind::unsupported, "the server tells no probabilities (logprobs) of tokens");
  }
  double sum = 0;
  for (const auto& [token, probability] : told.probabilities) sum += probability;
  if (!(sum > 0) || sum > 1.0001)
    return failure(ErrorKind::malformed, "the probabilities that the server tells sum to " + number_text(sum, 6));
  return told;
}

}  // namespace assay::inline v0::detail
