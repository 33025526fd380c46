// How often the diagnosis names the class of a known fault, of which faults it does not, and what a diagnosis costs.
//
//   bench_diagnosis [--half 0|1|-1 | --development | --others] [--op NAME] [--seeds N] [--first-seed S] [--cases N]
//   [--cases-out FILE.tsv] [--out FILE.md] [--cost]
//
// Failing cases of faulty kernels of all operations are diagnosed, one case a fault and seed unless --cases says more.
// Faults fall into two halves by a hash of their names: the diagnosis was developed on half 0 with odd seeds; half 1
// with even seeds is what it is measured on. --development: faults that somebody wrote who did not know the diagnosis,
// which it is developed on, instead. --others: of somebody else, which it is measured on. Prints Markdown: declared
// class by named class, the same by operation, and the most frequent misnamings. --cases-out: a line for every case.
// --cost: the time of one failure each of a GEMM of 4096 x 4096 x 4096 and a softmax of 4096 x 4096, with re-runs and
// without.

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iostream>
#include <map>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "assay/diagnosis/diagnose.hpp"
#include "assay/kernels/softmax/softmax.hpp"
#include "assay/validators/failures/diagnose_gemm.hpp"
#include "diagnosis/development_faults.hpp"
#include "diagnosis/joined.hpp"
#include "diagnosis/other_faults.hpp"
#include "diagnosis/parts.hpp"

namespace {

using namespace assay;
using namespace diagnosis_bench;

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

void print(std::ostream& out, const Table& table) {
  const auto row = [&](const std::vector<std::string>& cells) {
    for (const std::string& cell : cells) out << "| " << cell << ' ';
    out << "|\n";
  };
  out << "\n### " << table.title << "\n\n";
  row(table.columns);
  row(std::vector<std::string>(table.columns.size(), "---"));
  for (const auto& cells : table.rows) row(cells);
}

std::string percent(std::size_t part, std::size_t whole) {
  char text[16];
  std::snprintf(text, sizeof text, "%.1f %%",
                whole > 0 ? 100 * static_cast<double>(part) / static_cast<double>(whole) : 0);
  return text;
}

Table by_operation(const std::vector<NamedFault>& all) {
  Table table{"by operation", {"operation", "cases", "rightly", "wrongly with certain", "longest, s"}, {}};
  for (std::size_t first = 0, last = 0; first < all.size(); first = last) {
    std::size_t right = 0, certain = 0;
    double longest = 0;
    for (; last < all.size() && all[last].operation == all[first].operation; ++last) {
      right += all[last].rightly() ? 1 : 0;
      certain += all[last].wrongly_certain() ? 1 : 0;
      longest = std::max(longest, all[last].seconds);
    }
    char seconds[16];
    std::snprintf(seconds, sizeof seconds, "%.1f", longest);
    table.rows.push_back({all[first].operation, std::to_string(last - first), percent(right, last - first),
                          percent(certain, last - first), seconds});
  }
  return table;
}

/// What was taken for what, most frequent first.
Table misnamings(const std::vector<NamedFault>& all) {
  std::map<std::vector<std::string>, std::size_t> counts;
  for (const NamedFault& one : all)
    if (!one.rightly())
      ++counts[{one.fault, std::string(name_of(one.declared)),
                one.diagnosed()
                    ? std::string(name_of(one.diagnoses.front().fault_class)) + ", " + one.diagnoses.front().kind
                    : "undiagnosed"}];
  std::vector<std::pair<std::size_t, std::vector<std::string>>> sorted;
  for (const auto& [what, count] : counts) sorted.emplace_back(count, what);
  std::sort(sorted.begin(), sorted.end(),
            [](const auto& a, const auto& b) { return a.first != b.first ? a.first > b.first : a.second < b.second; });
  if (sorted.size() > 25) sorted.resize(25);
  Table table{"the most frequent misnamings", {"fault", "declared", "named", "cases"}, {}};
  for (auto& [count, what] : sorted) {
    what.push_back(std::to_string(count));
    table.rows.push_back(what);
  }
  return table;
}

std::string line_of(const NamedFault& one) {
  std::ostringstream line;
  line << (one.rightly()           ? "right"
           : one.wrongly_certain() ? "WRONG"
                                   : "wrong")
       << '\t' << one.operation << '\t' << one.fault << '\t' << name_of(one.declared) << '\t' << one.shape << '\t'
       << one.seconds << '\t' << (one.diagnosed() ? one.diagnoses.front().text() : "nothing") << '\n';
  return line.str();
}

void tell(std::ostream& out, const char* what, double reference, double looking, const std::vector<Diagnosis>& found) {
  out << what << ": reference " << reference << " s, diagnosis " << looking << " s; "
      << (found.empty() ? "nothing" : found.front().text()) << '\n';
}

/// A kernel that leaves out one term of every sum.
bool measure_gemm(std::ostream& out, bool may_rerun) {
  using Op = Gemm<float32, float32, float32, float32>;
  constexpr Index extent = 4096, dropped = 1234;
  Host host;
  auto stream = host.make_stream();
  GemmProblem problem;
  problem.m = problem.n = problem.k = extent;
  const AccumulationModel accumulation = accumulation_in<float32>();
  const GemmData data = gemm_data<Op>(FillKind::normal, problem, accumulation, 1);
  auto prepared = detail::GemmOperands<Op, Host>::create(host, stream.value(), problem, lay_out(problem).value(), data);
  if (!prepared) return false;
  auto before = prepared.value().arguments_before();
  const auto written = prepared.value().arguments();
  auto start = std::chrono::steady_clock::now();
  auto reference = gemm_reference<Op>(host, stream.value(), problem, before.value(),
                                      gemm_bound(problem, accumulation, data.model, data.terms, false).bound);
  if (!reference) return false;
  const double reference_seconds = seconds_since(start);
  const auto expected = reference.value().expected();
  const auto spoil = [&](const typename Op::Arguments& operands) {
    for (Index i = 0; i < extent; ++i)
      for (Index j = 0; j < extent; ++j)
        operands.c(0, i, j) = static_cast<float>(expected(i, j).value -
                                                 decode(operands.a(0, i, dropped)) * decode(operands.b(0, dropped, j)));
  };
  spoil(written);
  GemmSubject<Op> subject;
  subject.run = [&](const GemmProblem&, const typename Op::Arguments& operands) -> Result<void> {
    spoil(operands);
    return {};
  };
  start = std::chrono::steady_clock::now();
  const auto found = diagnose_gemm<Op>(subject, problem, data, before.value(), written.c, expected, ChosenTolerance{},
                                       {}, false, {&diagnose, 1, may_rerun});
  tell(out, may_rerun ? "GEMM f32 4096 x 4096 x 4096, re-runs allowed" : "GEMM f32 4096 x 4096 x 4096",
       reference_seconds, seconds_since(start), found);
  return true;
}

/// A kernel that leaves the last tile of each row out of its sum.
bool measure_softmax(std::ostream& out, bool may_rerun) {
  constexpr Index extent = 4096;
  Host host;
  auto stream = host.make_stream();
  Softmax::Problem problem;
  problem.outer = problem.length = extent;
  OperationSubject<Softmax> subject;
  subject.run = [&](const Softmax::Problem&, const OperandArray& operands) -> Result<void> {
    const auto x = operands[0].view<const float, 2>();
    const auto y = operands[2].view<float, 2>();
    for (Index i = 0; i < extent; ++i) {
      float largest = x(i, 0), sum = 0;
      for (Index j = 0; j < extent; ++j) largest = std::max(largest, x(i, j));
      for (Index j = 0; j < extent - 128; ++j) sum += std::exp(x(i, j) - largest);
      for (Index j = 0; j < extent; ++j) y(i, j) = std::exp(x(i, j) - largest) / sum;
    }
    return {};
  };
  auto specs = Softmax::operands(problem);
  const Arithmetic arithmetic = subject.arithmetic(problem);
  const OperationData data = Softmax::data(problem, FillKind::normal, arithmetic, 1);
  auto prepared = detail::OperationMemory<Host>::create(host, stream.value(), std::move(specs).value(), data, {});
  if (!prepared || !subject.run(problem, prepared.value().operands())) return false;
  const auto before = prepared.value().operands_before();
  if (!before) return false;
  const auto start = std::chrono::steady_clock::now();
  const auto found =
      diagnose_operation<Softmax>(subject, problem, prepared.value().specs(), data, before.value(),
                                  prepared.value().operands(), ChosenTolerance{}, {}, false, {&diagnose, 1, may_rerun});
  tell(out, may_rerun ? "softmax f32 4096 x 4096, re-runs allowed" : "softmax f32 4096 x 4096", 0, seconds_since(start),
       found);
  return true;
}

/// Whose faults are named.
enum class Corpus { half, development, others };

std::vector<AnyCommonFault> faults_of(Corpus corpus) {
  switch (corpus) {
    case Corpus::half: return {};
    case Corpus::development:
      return joined<AnyCommonFault>(development_output_faults(), development_input_faults(),
                                    development_rounding_faults(), development_state_faults());
    case Corpus::others:
      return joined<AnyCommonFault>(other_output_faults(), other_input_faults(), other_rounding_faults(),
                                    other_state_faults());
  }
  return {};
}

}  // namespace

int main(int argc, char** argv) {
  int half = 1, cases = 1, seeds = 1, first_seed = -1;
  std::string operation, output, cases_output;
  bool cost = false;
  Corpus corpus = Corpus::half;
  for (int i = 1; i < argc; ++i) {
    const std::string_view option = argv[i];
    if (option == "--cost" || option == "--development" || option == "--others") {
      if (option == "--cost")
        cost = true;
      else
        corpus = option == "--others" ? Corpus::others : Corpus::development;
      continue;
    }
    const char* const text = i + 1 < argc ? argv[++i] : "";
    std::string* const name = option == "--op"          ? &operation
                              : option == "--out"       ? &output
                              : option == "--cases-out" ? &cases_output
                                                        : nullptr;
    int* const value = option == "--half"         ? &half
                       : option == "--cases"      ? &cases
                       : option == "--seeds"      ? &seeds
                       : option == "--first-seed" ? &first_seed
                                                  : nullptr;
    if (name != nullptr) *name = text;
    if (name == nullptr &&
        (value == nullptr || std::from_chars(text, text + std::strlen(text), *value).ec != std::errc())) {
      std::cerr << "usage: bench_diagnosis [--half 0|1|-1 | --development | --others] [--op NAME] [--seeds N] "
                   "[--first-seed S] [--cases N] "
                   "[--cases-out FILE.tsv] [--out FILE.md] [--cost]; given: "
                << option << ' ' << text << '\n';
      return 2;
    }
  }
  std::ostringstream report;
  if (cost) {
    for (const bool may_rerun : {false, true})
      if (!measure_softmax(report, may_rerun) || !measure_gemm(report, may_rerun)) return 2;
  } else {
    NameFaultsOptions options;
    options.diagnosis = {&diagnose, 1, true};
    options.half = corpus == Corpus::half ? half : -1;
    options.others = faults_of(corpus);
    options.cases_a_fault = static_cast<std::size_t>(cases);
    if (first_seed < 0) first_seed = half == 1 ? 2 : 1;
    options.seeds.clear();
    for (int i = 0; i < seeds; ++i) options.seeds.push_back(static_cast<std::uint64_t>(first_seed + 2 * i));
    std::ofstream lines(cases_output.empty() ? "/dev/null" : cases_output);
    std::vector<NamedFault> all;
    for (const auto& parts : parts_of_units(std::make_index_sequence<unit_count>()))
      for (const Part& part : parts) {
        if (!operation.empty() && part.operation != operation) continue;
        for (NamedFault& one : part.name(options)) {
          lines << line_of(one);
          all.push_back(std::move(one));
        }
        lines.flush();
      }
    report << (corpus == Corpus::others        ? "Faults of another hand, "
               : corpus == Corpus::development ? "Faults that the diagnosis is developed on, "
                                               : "Half " + std::to_string(half) + " of the faults, ")
           << seeds << (seeds == 1 ? " seed" : " seeds") << " from " << first_seed << ", " << all.size()
           << " failing cases.\n";
    print(report, confusion_matrix(all));
    print(report, by_operation(all));
    print(report, misnamings(all));
  }
  std::cout << report.str();
  if (!output.empty()) std::ofstream(output) << report.str();
  return 0;
}
