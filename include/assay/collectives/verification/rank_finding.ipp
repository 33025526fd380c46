#pragma once

#include "assay/collectives/verification/rank_finding.hpp"

#include <cstdlib>

#include "assay/core/config.hpp"

namespace assay::inline v0 {

namespace detail {

ASSAY_DETAIL_HEADER_INLINE long long FindingReader::number(char end) {
  char* stop = nullptr;
  const char* begin = text.c_str() + at;
  const long long value = std::strtoll(begin, &stop, 10);
  ok = ok && stop != begin && *stop == end;
  at = ok ? at + static_cast<std::size_t>(stop - begin) + 1 : at;
  return ok ? value : 0;
}

ASSAY_DETAIL_HEADER_INLINE std::string FindingReader::words() {
  const long long length = number(':');
  ok = ok && length >= 0 && static_cast<std::size_t>(length) <= text.size() - at;
  if (!ok) return {};
  at += static_cast<std::size_t>(length);
  return text.substr(at - static_cast<std::size_t>(length), static_cast<std::size_t>(length));
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE std::string to_text(const RankFinding& finding) {
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
    detail::put(text, static_cast<long long>(suspicion.chance * 1e6));
    detail::put(text, suspicion.evidence);
  }
  return text;
}

ASSAY_DETAIL_HEADER_INLINE Result<RankFinding> rank_finding_from_text(const std::string& text) {
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
    suspicion.chance = static_cast<double>(reader.number()) * 1e-6;
    suspicion.evidence = reader.words();
    finding.suspicions.push_back(std::move(suspicion));
  }
  if (!reader.ok || reader.at != text.size())
    return failure(ErrorKind::malformed,
                   "what a rank found came as text that is no finding, near byte " + std::to_string(reader.at));
  return finding;
}

}  // namespace assay::inline v0
