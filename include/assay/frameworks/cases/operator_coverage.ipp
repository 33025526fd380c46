#pragma once

#include "assay/frameworks/cases/operator_coverage.hpp"

#include <algorithm>
#include <map>
#include <tuple>

#include "assay/core/config.hpp"
#include "assay/core/printed_number.hpp"
#include "assay/suite/glob.hpp"

namespace assay::inline v0 {

namespace detail {

/// How cases ended.
struct CaseCounts {
  int pass = 0, bad = 0, refused = 0, undecided = 0;

  void add(Verdict verdict) {
    ++(verdict == Verdict::pass                                         ? pass
       : verdict == Verdict::fail || verdict == Verdict::error          ? bad
       : verdict == Verdict::unsupported || verdict == Verdict::skipped ? refused
                                                                        : undecided);
  }
  [[nodiscard]] bool whole() const { return pass > 0 && bad == 0; }
};

[[nodiscard]] inline double share(std::size_t part, std::size_t all) {
  return all == 0 ? 0 : 100 * static_cast<double>(part) / static_cast<double>(all);
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE std::string_view default_critical_operators() noexcept {
  return R"(# Operators of ONNX's that a release must compute, one a line; globs are allowed.
# assay frameworks onnx --critical FILE judges by a list of your own.

# products
MatMul
Gemm
Conv
Attention
MatMulInteger
# lanes
Softmax
LogSoftmax
LayerNormalization
BatchNormalization
ReduceSum
ReduceMean
ReduceMax
TopK
ArgMax
# elementwise
Add
Sub
Mul
Div
Pow
Sqrt
Exp
Log
Relu
Sigmoid
Tanh
Erf
Clip
Where
Equal
Cast
# layout
Transpose
Reshape
Concat
Slice
Split
Pad
Gather
Expand
Squeeze
Unsqueeze
# images
MaxPool
AveragePool
GlobalAveragePool
# quantization
QuantizeLinear
DequantizeLinear
)";
}

ASSAY_DETAIL_HEADER_INLINE Result<std::vector<std::string>> read_critical_operators(std::string_view text) {
  std::vector<std::string> operators;
  int line = 0;
  for (std::size_t start = 0; start < text.size();) {
    const std::size_t end = std::min(text.find('\n', start), text.size());
    std::string_view own = text.substr(start, end - start);
    start = end + 1;
    ++line;
    while (!own.empty() && (own.back() == ' ' || own.back() == '\r' || own.back() == '\t')) own.remove_suffix(1);
    while (!own.empty() && (own.front() == ' ' || own.front() == '\t')) own.remove_prefix(1);
    if (own.empty() || own.front() == '#') continue;
    for (const char letter : own)
      if (!((letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') || (letter >= '0' && letter <= '9') ||
            letter == '_' || letter == '*' || letter == '?'))
        return failure(ErrorKind::malformed, "line " + std::to_string(line) + " is no name of an operator: '" +
                                                 std::string(own.substr(0, 80)) + "'");
    operators.emplace_back(own);
  }
  if (operators.empty()) return failure(ErrorKind::invalid, "it names no operator");
  return operators;
}

ASSAY_DETAIL_HEADER_INLINE Outcome operator_coverage(const std::vector<Outcome>& outcomes, const std::string& backend,
                                                     const std::vector<std::string>& critical) {
  std::map<std::string, detail::CaseCounts> operators;
  std::map<std::tuple<std::string, std::string, std::string>, detail::CaseCounts> rows;
  for (const Outcome& outcome : outcomes) {
    const std::string name = outcome.label("operation");
    operators[name].add(outcome.verdict);
    rows[{name, outcome.label("type"), outcome.label("opset")}].add(outcome.verdict);
  }
  Outcome coverage;
  coverage.id = "onnx/" + backend + "/operators/coverage";
  coverage.labels = {{"backend", backend}, {"data", "coverage"}};
  Table table;
  table.title = "operator, type of its first input, version of the operators";
  table.columns = {"operator", "type", "opset", "pass", "fail, error", "unsupported", "undecided"};
  const auto number = [](int count) { return count == 0 ? std::string() : std::to_string(count); };
  for (const auto& [key, counts] : rows)
    table.rows.push_back({std::get<0>(key), std::get<1>(key), std::get<2>(key), number(counts.pass), number(counts.bad),
                          number(counts.refused), number(counts.undecided)});
  coverage.tables.push_back(std::move(table));

  std::size_t whole = 0;
  for (const auto& [name, counts] : operators) whole += counts.whole() ? 1 : 0;
  double percent = detail::share(whole, operators.size());
  coverage.measure("operators", static_cast<double>(operators.size()));
  coverage.measure("operators_percent", percent, "%");
  std::vector<std::string> lacking;
  if (critical.empty()) {
    for (const auto& [name, counts] : operators)
      if (!counts.whole()) lacking.push_back(name);
  } else {
    detail::CaseCounts cases;
    std::size_t all = 0, good = 0;
    std::map<std::string, bool> seen;
    for (const std::string& glob : critical) {
      bool any = false;
      for (const auto& [name, counts] : operators) {
        if (!glob_matches(glob, name)) continue;
        any = true;
        if (!seen.emplace(name, true).second) continue;
        ++all;
        good += counts.whole() ? 1 : 0;
        cases.pass += counts.pass;
        cases.bad += counts.bad;
        if (!counts.whole()) lacking.push_back(name);
      }
      if (any) continue;
      ++all;
      lacking.push_back(glob + " (no case)");
    }
    percent = detail::share(good, all);
    coverage.measure("critical_operators_percent", percent, "%");
    coverage.measure(
        "critical_cases_percent",
        detail::share(static_cast<std::size_t>(cases.pass), static_cast<std::size_t>(cases.pass + cases.bad)), "%");
  }
  coverage.verdict = percent > 99 ? Verdict::pass : Verdict::fail;
  if (coverage.verdict == Verdict::fail) {
    std::string names;
    for (std::size_t i = 0; i < std::min<std::size_t>(lacking.size(), 12); ++i)
      names += (i == 0 ? "" : ", ") + lacking[i];
    if (lacking.size() > 12) names += " and " + std::to_string(lacking.size() - 12) + " more";
    coverage.reason = detail::printed_number(percent, 4) + " % of the " + (critical.empty() ? "" : "critical ") +
                      "operators pass in every case that decides, more than 99 % are due; not " + names;
  }
  return coverage;
}

}  // namespace assay::inline v0
