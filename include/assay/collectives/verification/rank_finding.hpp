#pragma once

#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <vector>

#include "assay/collectives/verification/collective_data.hpp"
#include "assay/core/result.hpp"

namespace assay::inline v0 {

/// What may have gone wrong, as one rank sees it.
struct CollectiveSuspicion {
  std::string fault;            ///< a name from the list of faults, see collective_diagnosis.hpp
  int guilty = -1;              ///< the rank whose doing it is; -1: not told
  Index begin = 0, length = 0;  ///< elements of the output where it shows
  double share = 0;             ///< of the wrong elements that it explains
  std::string evidence;         ///< one sentence
};

/// What one rank found in its own buffers after one call. Small, however much is wrong.
struct RankFinding {
  static constexpr std::size_t most_runs = 64;  ///< runs of wrong elements that are kept

  int rank = 0;
  std::uint64_t call = 0;
  std::optional<Error> error;  ///< the call failed; nothing was compared then
  Index elements = 0;          ///< compared
  Index wrong = 0;
  std::uint64_t hash = 0;        ///< of the output's bytes where ranks must agree and no single result is right; else 0
  std::vector<ElementRun> runs;  ///< of wrong elements of the output, the first `most_runs`
  std::vector<CollectiveSuspicion> suspicions;

  /// Whether nothing was found wrong.
  [[nodiscard]] bool is_right() const { return !error && wrong == 0 && suspicions.empty(); }
};

namespace detail {

inline void put(std::string& text, long long number) {
  text += std::to_string(number) + " ";
}
inline void put(std::string& text, const std::string& words) {
  text += std::to_string(words.size()) + ":" + words;
}

/// Reads what `put` wrote; `ok` is false once anything was not of that form.
struct FindingReader {
  const std::string& text;
  std::size_t at = 0;
  bool ok = true;

  long long number(char end = ' ') {
    char* stop = nullptr;
    const char* begin = text.c_str() + at;
    const long long value = std::strtoll(begin, &stop, 10);
    ok = ok && stop != begin && *stop == end;
    at = ok ? at + static_cast<std::size_t>(stop - begin) + 1 : at;
    return ok ? value : 0;
  }
  std::string words() {
    const long long length = number(':');
    ok = ok && length >= 0 && static_cast<std::size_t>(length) <= text.size() - at;
    if (!ok) return {};
    at += static_cast<std::size_t>(length);
    return text.substr(at - static_cast<std::size_t>(length), static_cast<std::size_t>(length));
  }
};

}  // namespace detail

/// As text, to be exchanged between ranks.
[[nodiscard]] inline std::string to_text(const RankFinding& finding) {
  std::string text;
  detail::put(text, finding.rank);
  detail::put(text, static_cast<long long>(finding.call));
  detail::put(text, finding.error ? static_cast<long long>(finding.error->kind) : -1);
  if (finding.error) detail::put(text, finding.error->message);
  detail::put(text, finding.elements);
  detail::put(text, finding.wrong);
  detail::put(text, static_cast<long long>(finding.hash));
  const std::size_t runs = finding.runs.size() < RankFinding::most_runs ? finding.runs.size() : RankFinding::most_runs;
  detail::put(text, static_cast<long long>(runs));
  for (std::size_t i = 0; i < runs; ++i) {
    detail::put(text, finding.runs[i].begin);
    detail::put(text, finding.runs[i].length);
  }
  detail::put(text, static_cast<long long>(finding.suspicions.size()));
  for (const CollectiveSuspicion& suspicion : finding.suspicions) {
    detail::put(text, suspicion.fault);
    detail::put(text, suspicion.guilty);
    detail::put(text, suspicion.begin);
    detail::put(text, suspicion.length);
    detail::put(text, static_cast<long long>(suspicion.share * 1e6));
    detail::put(text, suspicion.evidence);
  }
  return text;
}

/// Errors: `malformed`, where the text is no finding.
[[nodiscard]] inline Result<RankFinding> rank_finding_from_text(const std::string& text) {
  detail::FindingReader reader{text};
  RankFinding finding;
  finding.rank = static_cast<int>(reader.number());
  finding.call = static_cast<std::uint64_t>(reader.number());
  const long long kind = reader.number();
  if (reader.ok && kind >= 0) finding.error = Error{static_cast<ErrorKind>(kind), reader.words()};
  finding.elements = reader.number();
  finding.wrong = reader.number();
  finding.hash = static_cast<std::uint64_t>(reader.number());
  for (long long left = reader.number(); reader.ok && left > 0; --left) {
    const Index begin = reader.number();
    finding.runs.push_back({begin, reader.number()});
  }
  for (long long left = reader.number(); reader.ok && left > 0; --left) {
    CollectiveSuspicion suspicion;
    suspicion.fault = reader.words();
    suspicion.guilty = static_cast<int>(reader.number());
    suspicion.begin = reader.number();
    suspicion.length = reader.number();
    suspicion.share = static_cast<double>(reader.number()) * 1e-6;
    suspicion.evidence = reader.words();
    finding.suspicions.push_back(std::move(suspicion));
  }
  if (!reader.ok || reader.at != text.size())
    return failure(ErrorKind::malformed, "what a rank found came as text that is no finding, near byte " + std::to_string(reader.at));
  return finding;
}

}  // namespace assay::inline v0
