#include "run_roofline.hpp"

#include <algorithm>
#include <cstdio>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <string_view>
#include <utility>

#include "assay/core/printed_number.hpp"
#include "assay/fleet/roofline/roofline_chart.hpp"
#include "assay/report/text.hpp"
#include "assay/report/write_file.hpp"
#include "assay/suite/glob.hpp"
#include "chips.hpp"
#include "printed_table.hpp"

namespace assay_program {

namespace {

/// How problems of operations, as cases record them, are written for a formula: extents as products of members.
struct ProblemSpelling {
  std::string_view operations;  ///< names or globs, by commas
  std::string_view problem;     ///< "softmax rows=outer*inner columns=length"
  std::string_view times = "";  ///< members that multiply the whole
};

constexpr ProblemSpelling spellings[] = {
    {"gemm", "gemm m=m n=n k=k", "batch"},
    {"fused_gemm,scaled_gemm,weight_only_gemm,int8_gemm", "linear m=m n=n k=k"},
    {"attention", "attention batch=batch heads=heads kv_heads=key_heads queries=queries keys=keys head_size=depth"},
    {"attention_backward", "attention_backward batch=batch heads=heads queries=queries keys=keys head_size=depth"},
    {"softmax,log_softmax", "softmax rows=outer*inner columns=length"},
    {"l2_normalize", "normalization rows=outer*inner columns=length"},
    {"layernorm,rmsnorm", "normalization rows=outer columns=channels*inner"},
    {"groupnorm", "normalization rows=outer*groups columns=channels*inner/groups"},
    {"batchnorm", "normalization rows=outer*channels columns=inner"},
    {"cross_entropy", "cross_entropy rows=rows columns=classes"},
    {"dropout", "dropout elements=rows*columns"},
    {"add,subtract,multiply,divide,maximum,minimum", "elementwise elements=extents inputs=2"},
    {"multiply_add", "elementwise elements=extents inputs=3"},
    {"relu,gelu,gelu_tanh,silu,sigmoid,tanh,softplus,exp,log,sqrt,rsqrt,sin,cos,erf,scale_shift,cast",
     "elementwise elements=extents inputs=1"},
    {"reduce_*", "reduction rows=outer*inner columns=length"},
    {"gather", "gather rows=count columns=width"},
    {"permute,transpose,flip", "rearrangement elements=extents"},
    {"rotary_embedding", "rotary_embedding rows=batch*sequence*heads columns=dimension"},
    {"adam_step,adamw_step", "optimizer elements=count"}};

const ProblemSpelling* spelling_of(const std::string& operation) {
  for (const ProblemSpelling& spelling : spellings) {
    std::istringstream names{std::string(spelling.operations)};
    for (std::string name; std::getline(names, name, ',');)
      if (assay::glob_matches(name, operation)) return &spelling;
  }
  return nullptr;
}

using Members = std::map<std::string, std::string>;

/// A member's value; of a list, the product of its entries up to the problem's rank.
std::optional<double> value_of(const Members& members, const std::string& name) {
  if (const auto number = assay::detail::read_number(name)) return number;
  if (const auto found = members.find(name); found != members.end()) return assay::detail::read_number(found->second);
  const auto rank = members.find("rank");
  double product = 1;
  std::size_t entries = 0;
  const auto limit = rank == members.end() ? std::nullopt : assay::detail::read_number(rank->second);
  for (;; ++entries) {
    const auto entry = members.find(name + "[" + std::to_string(entries) + "]");
    if (entry == members.end() || (limit && static_cast<double>(entries) >= *limit)) break;
    const auto extent = assay::detail::read_number(entry->second);
    if (!extent) return std::nullopt;
    product *= *extent;
  }
  return entries > 0 ? std::optional<double>(product) : std::nullopt;
}

/// "outer*inner/groups".
std::optional<double> product_of(const Members& members, std::string_view text) {
  double product = 1;
  while (!text.empty()) {
    const bool divides = text.front() == '/';
    if (divides || text.front() == '*') text.remove_prefix(1);
    const std::size_t end = std::min(text.find_first_of("*/"), text.size());
    const auto value = value_of(members, std::string(text.substr(0, end)));
    if (!value || !(*value > 0)) return std::nullopt;
    product = divides ? product / *value : product * *value;
    text.remove_prefix(end);
  }
  return product;
}

/// The problem of a record by its formula, and how often it is done. Nothing where a member is missing or 0, as alpha,
/// with which there is no product to compute.
std::optional<std::pair<assay::RooflineProblem, double>> problem_of(const ProblemSpelling& spelling,
                                                                    const assay::CaseRecord& record) {
  Members members;
  for (const assay::RecordedField& field : record.problem) members[field.name] = field.value;
  if (const auto alpha = value_of(members, "alpha"); alpha && *alpha == 0) return std::nullopt;
  std::istringstream words{std::string(spelling.problem)};
  std::string text, word;
  words >> text;
  while (words >> word) {
    const std::size_t equals = word.find('=');
    const auto extent = product_of(members, std::string_view(word).substr(equals + 1));
    if (!extent) return std::nullopt;
    text += " " + word.substr(0, equals + 1) + assay::detail::printed_number(*extent, 0, std::chars_format::fixed);
  }
  auto problem = assay::parse_problem(text);
  const auto times = product_of(members, spelling.times);
  if (!problem || !times) return std::nullopt;
  return std::pair{std::move(problem).value(), *times};
}

/// The chips' word for a format of ours; empty: none.
std::string_view chip_format_of(std::string_view format) {
  constexpr std::pair<std::string_view, std::string_view> words[] = {
      {"f64", "fp64"},   {"f32", "tf32"}, {"tf32", "tf32"},    {"bf16", "bf16"},    {"f16", "fp16"},
      {"e4m3fn", "fp8"}, {"e5m2", "fp8"}, {"e4m3fnuz", "fp8"}, {"e5m2fnuz", "fp8"}, {"e2m3", "fp6"},
      {"e3m2", "fp6"},   {"e2m1", "fp4"}, {"int8", "int8"},    {"uint8", "int8"}};
  for (const auto& [ours, chips] : words)
    if (ours == format) return chips;
  return {};
}

/// Whose peak holds for a case, and how wide its elements are.
struct CaseFormat {
  std::string peak;  ///< of the first operand's format
  double bytes = 0;  ///< of the narrowest: what is moved at least
};

/// By the formats of a case's id. Nothing where chips know none of them.
std::optional<CaseFormat> format_of(std::string formats) {
  std::optional<CaseFormat> found;
  std::replace(formats.begin(), formats.end(), 'x', '.');
  std::istringstream names(formats);
  for (std::string name; std::getline(names, name, '.');) {
    const std::string_view word = chip_format_of(name);
    if (word.empty()) continue;
    const double bytes = bytes_of_chip_format(word);
    if (!found) found = CaseFormat{std::string(word), bytes};
    found->bytes = std::min(found->bytes, bytes);
  }
  return found;
}

/// The case of a kernel that came nearest to its roof.
struct Nearest {
  double share = 0;
  std::string shape;
  assay::RooflinePoint point;
  assay::RooflineBound bound;
};

std::string names_of(const std::set<std::string>& names) {
  std::string all;
  for (const std::string& name : names) all += (all.empty() ? "" : ", ") + name;
  return all;
}

}  // namespace

assay::Result<assay::Chip> chip_of(const RooflineRequest& request) {
  const auto catalog = catalog_with(request.files);
  if (!catalog) return catalog.propagate();
  auto chips = chips_named(catalog.value(), {request.chip});
  if (!chips) return chips.propagate();
  return std::move(chips.value().front());
}

assay::Result<void> tell_roofline(const assay::Suite& suite, const assay::Chip& chip, const std::string& page,
                                  assay::Run& run) {
  std::map<std::string, const assay::Case*> cases;
  for (const assay::Case& entry : suite) cases[entry.id] = &entry;
  std::map<std::string, std::size_t> positions;  // of formats among the machines
  std::vector<assay::RooflineMachine> machines;
  std::set<std::string> without_formula, without_peak;
  std::map<std::string, Nearest> nearest;
  for (assay::Outcome& outcome : run.outcomes) {
    const auto seconds = outcome.measurement("kernel_seconds");
    const auto found = cases.find(outcome.id);
    if (outcome.verdict != assay::Verdict::pass || !seconds || !(*seconds > 0) || found == cases.end()) continue;
    const std::string operation = outcome.label("operation"), formats = outcome.label("formats");
    const ProblemSpelling* spelling = spelling_of(operation);
    if (spelling == nullptr) {
      without_formula.insert(operation);
      continue;
    }
    const auto format = format_of(formats);
    if (!format || found->second->kernel == nullptr) continue;
    const std::string& name = format->peak;
    if (positions.count(name) == 0) {
      auto machine = assay::machine_of(chip, name);
      if (!machine) {
        without_peak.insert(name);
        continue;
      }
      positions[name] = machines.size();
      machines.push_back(std::move(machine).value());
    }
    const auto problem = problem_of(*spelling, found->second->kernel->record(1));
    if (!problem) continue;
    assay::OperationWork work = problem->first.work(format->bytes);
    work.flop *= problem->second;
    work.bytes *= problem->second;
    const std::size_t position = positions.at(name);
    const assay::RooflineBound bound = assay::roofline_bound(work, machines[position]);
    const double share = bound.seconds / *seconds;
    outcome.measure("roofline_share", share);
    Nearest& best = nearest[operation + " " + outcome.label("backend") + " " + formats];
    if (share > best.share) best = {share, outcome.label("shape"), {outcome.id, work, *seconds, position}, bound};
  }
  assay::Table table{"Roofline of " + chip.name,
                     {"operation, backend, formats", "nearest problem", "GFLOP/s", "GB/s", "bound by", "share %"},
                     {}};
  std::vector<assay::RooflinePoint> points;
  bool beyond = false;
  for (const auto& [kernel, best] : nearest) {
    const auto rate = [&](double amount) { return assay::number_text(amount / best.point.seconds / 1e9, 3); };
    table.rows.push_back({kernel, best.shape, rate(best.point.work.flop), rate(best.point.work.bytes), best.bound.by,
                          assay::number_text(100 * best.share, 3)});
    points.push_back(best.point);
    beyond = beyond || best.share > 1;
  }
  std::printf("\n");
  if (!table.rows.empty()) print_table(table);
  std::printf(
      "each kernel was timed once among its checks, and moves its operands once at least: shares are too low "
      "rather than too high, and judge nothing\n");
  if (beyond)
    std::printf(
        "above 100 %%: operands lie in caches, which are quicker than the memory of the roof, or the kernels "
        "did not run on a %s\n",
        chip.name.c_str());
  if (!without_formula.empty())
    std::printf("no formula of the roofline fits the problems of: %s\n", names_of(without_formula).c_str());
  if (!without_peak.empty())
    std::printf("%s states no peak for: %s\n", chip.name.c_str(), names_of(without_peak).c_str());
  if (page.empty() || points.empty()) return {};
  auto written = assay::write_file(page, assay::roofline_page("Roofline of " + chip.name, machines, points));
  if (written) std::printf("roofline: %s\n", page.c_str());
  return written;
}

}  // namespace assay_program
