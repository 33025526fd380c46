#pragma once

#include "assay/frameworks/door/mode_agreement.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>

#include "assay/core/config.hpp"
#include "assay/suite/seed.hpp"

namespace assay::inline v0 {

namespace detail {

/// An outcome's id without its backend.
[[nodiscard]] inline std::string id_of_any_backend(const std::string& id, const std::string& backend) {
  const std::string part = "/" + backend + "/";
  const std::size_t at = id.find(part);
  return at == std::string::npos ? id : id.substr(0, at) + "//" + id.substr(at + part.size());
}

/// The inverse of `splitmix64_finalize`: its steps, each undone, in the other order.
[[nodiscard]] constexpr std::uint64_t splitmix64_unfinalize(std::uint64_t bits) noexcept {
  bits = (bits ^ (bits >> 31) ^ (bits >> 62)) * 0x319642B2D24D8EC3u;
  bits = (bits ^ (bits >> 27) ^ (bits >> 54)) * 0x96DE1B173F119089u;
  return bits ^ (bits >> 30) ^ (bits >> 60);
}
static_assert(splitmix64_unfinalize(splitmix64_finalize(0x0123456789ABCDEFu)) == 0x0123456789ABCDEFu);

inline void count_pair(ModeAgreement& pair, const Outcome& a, const Outcome& b) {
  if (a.label(outputs_label) == b.label(outputs_label)) {
    ++pair.same_bits;
    return;
  }
  const std::optional<double> first = a.measurement(measurement::worst_error_ratio),
                              second = b.measurement(measurement::worst_error_ratio);
  // A failure without a number, such as of what must be NaN, is farther than any.
  const bool first_wrong = a.verdict == Verdict::fail, second_wrong = b.verdict == Verdict::fail;
  pair.only_first_fails += first_wrong && !second_wrong ? 1 : 0;
  pair.only_second_fails += second_wrong && !first_wrong ? 1 : 0;
  if (first_wrong != second_wrong)
    ++(first_wrong ? pair.second_nearer : pair.first_nearer);
  else if (first && second && *first != *second)
    ++(*first < *second ? pair.first_nearer : pair.second_nearer);
  else
    ++pair.equally_far;
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE std::uint64_t seed_of_any_backend(std::uint64_t seed, const std::string& id,
                                                             const std::string& backend) {
  const std::string bare = detail::id_of_any_backend(id, backend);
  return detail::splitmix64_finalize(detail::splitmix64_unfinalize(seed) ^ detail::fowler_noll_vo_1a(id) ^
                                     detail::fowler_noll_vo_1a(bare));
}

ASSAY_DETAIL_HEADER_INLINE std::vector<ModeAgreement> compare_modes(const std::vector<Outcome>& outcomes) {
  std::vector<std::string> backends;
  std::map<std::string, std::map<std::string, const Outcome*>> by_case;
  for (const Outcome& outcome : outcomes) {
    if (outcome.label(outputs_label).empty()) continue;
    const std::string backend = outcome.label("backend");
    if (std::find(backends.begin(), backends.end(), backend) == backends.end()) backends.push_back(backend);
    by_case[detail::id_of_any_backend(outcome.id, backend)][backend] = &outcome;
  }
  std::vector<ModeAgreement> pairs;
  for (std::size_t a = 0; a < backends.size(); ++a)
    for (std::size_t b = a + 1; b < backends.size(); ++b) {
      std::map<std::string, ModeAgreement> by_family;
      for (const auto& [id, own] : by_case) {
        const auto first = own.find(backends[a]), second = own.find(backends[b]);
        if (first == own.end() || second == own.end() || first->second->seed != second->second->seed) continue;
        const Outcome& outcome = *first->second;
        const std::string family =
            outcome.label("family").empty() ? outcome.label("operation") : outcome.label("family");
        ModeAgreement& pair = by_family[family];
        pair.first = backends[a];
        pair.second = backends[b];
        pair.family = family;
        detail::count_pair(pair, outcome, *second->second);
      }
      for (auto& [family, pair] : by_family) pairs.push_back(std::move(pair));
    }
  return pairs;
}

ASSAY_DETAIL_HEADER_INLINE Table mode_agreement_table(const std::vector<ModeAgreement>& pairs) {
  Table table;
  table.title = "modes against one another: cases of the same problems and data";
  table.columns = {"A",        "B",           "family",       "same bits",   "A nearer",
                   "B nearer", "equally far", "only A fails", "only B fails"};
  for (const ModeAgreement& pair : pairs)
    table.rows.push_back({pair.first, pair.second, pair.family, std::to_string(pair.same_bits),
                          std::to_string(pair.first_nearer), std::to_string(pair.second_nearer),
                          std::to_string(pair.equally_far), std::to_string(pair.only_first_fails),
                          std::to_string(pair.only_second_fails)});
  return table;
}

}  // namespace assay::inline v0
