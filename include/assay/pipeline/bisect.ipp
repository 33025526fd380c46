#pragma once

#include "assay/pipeline/bisect.hpp"

#include <map>

#include "assay/core/config.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE Result<Bisection> bisect_chain(std::size_t nodes, const NodeIsWrong& is_wrong,
                                                          std::size_t probes) {
  Bisection bisection;
  std::map<std::size_t, bool> known;
  std::optional<Failure> failed;
  const auto wrong = [&](std::size_t node) {
    const auto found = known.find(node);
    if (found != known.end() || failed) return found != known.end() && found->second;
    const auto answer = is_wrong(node);
    ++bisection.runs;
    bisection.compared.push_back(node);
    if (!answer) failed = answer.propagate();
    return known[node] = answer && answer.value();
  };
  if (nodes == 0) return bisection;
  std::size_t right = 0, bad = nodes;  // nodes before `right` are taken for right, `bad` is wrong
  if (wrong(nodes - 1)) bad = nodes - 1;
  if (failed) return *failed;
  if (bad == nodes) {  // the end is right: an error that came and went is found by looking at all of it alone
    for (std::size_t i = 1; i <= probes && !failed; ++i) {
      const std::size_t node = i * (nodes - 1) / (probes + 1);
      if (wrong(node)) bad = std::min(bad, node), bisection.monotone = false;
    }
    if (failed) return *failed;
    if (bad == nodes) return bisection;
  } else {
    while (right < bad) {
      const std::size_t middle = right + (bad - right) / 2;
      if (wrong(middle))
        bad = middle;
      else
        right = middle + 1;
      if (failed) return *failed;
    }
    for (std::size_t i = 1; i <= probes; ++i) {
      if (bad > 0 && wrong(i * bad / (probes + 1)) && i * bad / (probes + 1) < bad) bisection.monotone = false;
      const std::size_t behind = bad + i * (nodes - 1 - bad) / (probes + 1);
      if (!wrong(behind)) bisection.monotone = false;
      if (failed) return *failed;
    }
    for (const auto& [node, is] : known)
      if (is != (node >= bad)) bisection.monotone = false;
  }
  if (!bisection.monotone)
    for (std::size_t node = 0; node < bad; ++node) {
      if (wrong(node)) bad = node;
      if (failed) return *failed;
    }
  bisection.first = bad;
  return bisection;
}

}  // namespace assay::inline v0
