// How often GEMM validation accuses correct kernels, and how often it catches faulty ones, beside two fixed tolerances.
//
//   bench_gemm_detection [--validations N] [--seed S] [--out FILE.md]
//
// Prints Markdown. Exit code: 0 without false alarms, 1 with any, 2 for wrong arguments.

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <map>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "assay/backends/host.hpp"
#include "assay/suite/seed.hpp"
#include "assay/validators/check_gemm.hpp"
#include "assay/validators/faults/emulated_gemm.hpp"

namespace {

using namespace assay;

using Bf16Gemm = Gemm<bfloat16, bfloat16, float32, bfloat16>;
using F16Gemm = Gemm<float16, float16, float32, float16>;
using F32Gemm = Gemm<float32, float32, float32, float32>;

constexpr std::array<Index, 9> depths{1, 17, 64, 256, 1000, 3000, 6144, 11008, 14336};
constexpr std::array<const char*, 3> formats{"bf16.f32.bf16", "f16.f32.f16", "f32.f32.f32"};
constexpr std::array<const char*, 3> rules{"derived", "normal", "torch-like"};

/// The rule by number; torch-like: the defaults of PyTorch's assert_close for the output's format.
ChosenTolerance rule_of(std::size_t rule, std::size_t format) {
  ChosenTolerance tolerance;
  if (rule == 1) tolerance.kind = ChosenTolerance::Kind::preset;
  if (rule == 2) {
    tolerance.kind = ChosenTolerance::Kind::absolute_relative;
    tolerance.absolute = 1e-5;
    tolerance.relative = std::array{1.6e-2, 1e-3, 1.3e-6}[format];
  }
  return tolerance;
}

struct Validation {
  std::size_t format = 0;
  FillKind fill = FillKind::normal;
  SummationOrder order = SummationOrder::sequential;
  GemmProblem problem;
  std::string fault;  ///< empty: a correct kernel
  std::size_t rule = 0;
  std::uint64_t seed = 0;
  // the result
  Verdict verdict = Verdict::error;
  bool refuted_by_numbers = false;
  double ratio = 0;
  std::string reason;
};

template <class Op>
void validate(Host& host, Validation& validation) {
  GemmCheckOptions options;
  options.tolerance = rule_of(validation.rule, validation.format);
  const std::optional<std::string> fault = validation.fault.empty() ? std::nullopt : std::optional(validation.fault);
  const auto subject = emulated_gemm_subject<Op>(validation.order, fault, validation.seed, host);
  const Outcome outcome = check_gemm<Op>(host, subject, validation.problem, validation.fill, options, CaseContext{validation.seed, 1});
  validation.verdict = outcome.verdict;
  validation.refuted_by_numbers = outcome.measurement(measurement::violations).value_or(0) > 0;
  validation.ratio = outcome.measurement(measurement::worst_error_ratio).value_or(0);
  validation.reason = outcome.reason;
}

/// One validation a thread: the loops inside run in the thread that calls them.
void validate_all(Host& host, std::vector<Validation>& validations) {
  auto stream = host.make_stream();
  const auto one = [&](std::size_t index) {
    Validation& validation = validations[index];
    if (validation.format == 0) validate<Bf16Gemm>(host, validation);
    else if (validation.format == 1) validate<F16Gemm>(host, validation);
    else validate<F32Gemm>(host, validation);
  };
  constexpr std::size_t part = 500;
  for (std::size_t start = 0; start < validations.size(); start += part) {
    const std::size_t count = std::min(part, validations.size() - start);
    if (!host.parallel_for(stream.value(), count, [&](std::size_t index) { one(start + index); })) return;
    std::fprintf(stderr, "\r%zu of %zu", start + count, validations.size());
  }
  std::fprintf(stderr, "\n");
}

GemmProblem small_problem(Index k) {
  GemmProblem problem;
  problem.m = 16;
  problem.n = 16;
  problem.k = k;
  return problem;
}

/// Validation i belongs to stratum i mod (formats × fills × K × orders), so that all strata are equally full.
std::vector<Validation> correct_kernels(std::size_t count, std::uint64_t seed, std::size_t rule) {
  std::vector<Validation> validations;
  for (std::size_t i = 0; i < count; ++i) {
    Validation validation;
    std::size_t stratum = i;
    const auto next = [&](std::size_t choices) {
      const std::size_t choice = stratum % choices;
      stratum /= choices;
      return choice;
    };
    validation.format = next(formats.size());
    validation.fill = all_fill_kinds[next(all_fill_kinds.size())];
    validation.problem = small_problem(depths[next(depths.size())]);
    validation.order = all_summation_orders[next(all_summation_orders.size())];
    if (stratum % 3 == 1) validation.problem.beta = 1;
    if (stratum % 3 == 2) validation.problem.alpha = 0.75, validation.problem.beta = -1.5;
    validation.rule = rule;
    validation.seed = case_seed(seed, "correct/" + std::to_string(i));
    validations.push_back(validation);
  }
  return validations;
}

/// Why a fault cannot show in these formats; empty if it can.
std::string inapplicable(const std::string& fault, std::size_t format) {
  if (fault == "narrow_inputs" && format != 2) return "inputs have no more bits";
  if (fault == "truncated_output" && format == 2) return "the sum has the output's format";
  return "";
}

/// The faults, after none: what a rule says of the correct kernel on the same data.
std::vector<std::string> tried() {
  std::vector<std::string> names{""};
  for (const Fault& fault : gemm_faults()) names.push_back(fault.name);
  return names;
}

std::string shown(const std::string& fault) { return fault.empty() ? "none: false alarms" : fault; }

std::vector<Validation> faulty_kernels(std::uint64_t seed, std::size_t repetitions, Index k) {
  std::vector<Validation> validations;
  for (const std::string& fault : tried())
    for (std::size_t format = 0; format < formats.size(); ++format) {
      if (!inapplicable(fault, format).empty()) continue;
      for (std::size_t repetition = 0; repetition < repetitions; ++repetition)
        for (FillKind fill : all_fill_kinds)
          for (std::size_t rule = 0; rule < rules.size(); ++rule) {
            Validation validation;
            validation.format = format;
            validation.fill = fill;
            validation.problem = small_problem(k);
            validation.problem.m = 24;  // no multiple of 16, for unwritten_tail
            if (fault == "wrong_batch") validation.problem.batch = 2;
            if (fault == "forgotten_beta") validation.problem.beta = 1;
            validation.fault = fault;
            validation.rule = rule;
            validation.seed = case_seed(seed, fault + "/" + std::to_string(repetition));
            validations.push_back(validation);
          }
    }
  return validations;
}

/// The derived rule is taken with all that the validator looks at, the fixed ones as what they are: a comparison.
bool caught(const Validation& validation) { return validation.rule == 0 ? validation.verdict == Verdict::fail : validation.refuted_by_numbers; }

struct Counts {
  std::size_t total = 0, accused = 0, inconclusive = 0, other = 0;
  double ratio = 0;

  void add(const Validation& validation) {
    ++total;
    accused += caught(validation) ? 1 : 0;
    inconclusive += validation.verdict == Verdict::inconclusive ? 1 : 0;
    other += validation.verdict == Verdict::error || validation.verdict == Verdict::unsupported || validation.verdict == Verdict::skipped ? 1 : 0;
    ratio = std::max(ratio, validation.ratio);
  }
  [[nodiscard]] std::string text() const {
    std::string shown = std::to_string(accused) + "/" + std::to_string(total);
    if (inconclusive > 0) shown += " (" + std::to_string(inconclusive) + " inconclusive)";
    if (other > 0) shown += " (" + std::to_string(other) + " not run)";
    return shown;
  }
};

void row(std::ostream& out, const std::vector<std::string>& cells) {
  for (const std::string& cell : cells) out << "| " << cell << ' ';
  out << "|\n";
}
void head(std::ostream& out, const std::vector<std::string>& cells) {
  row(out, cells);
  row(out, std::vector<std::string>(cells.size(), "---"));
}

std::string rate(const Counts& counts) {
  if (counts.total == 0) return "–";
  char text[32];
  std::snprintf(text, sizeof text, "%.3g", 100.0 * static_cast<double>(counts.accused) / static_cast<double>(counts.total));
  return text;
}

std::size_t report_false_alarms(std::ostream& out, const std::vector<Validation>& validations) {
  std::map<std::pair<std::size_t, std::size_t>, Counts> by_order;
  std::map<std::pair<std::size_t, std::size_t>, Counts> by_depth;
  Counts all;
  for (const Validation& validation : validations) {
    const auto fill = static_cast<std::size_t>(validation.fill);
    by_order[{fill, static_cast<std::size_t>(validation.order)}].add(validation);
    const auto depth = static_cast<std::size_t>(std::find(depths.begin(), depths.end(), validation.problem.k) - depths.begin());
    by_depth[{depth, validation.format}].add(validation);
    all.add(validation);
  }
  out << "\n## False alarms of the derived tolerance\n\n" << all.accused << " of " << all.total << " correct kernels accused, " << all.inconclusive << " inconclusive, "
      << all.other << " not run. Largest error/allowed: " << all.ratio << ".\n\n";
  std::vector<std::string> cells{"fill"};
  for (SummationOrder order : all_summation_orders) cells.emplace_back(name_of(order));
  head(out, cells);
  for (FillKind fill : all_fill_kinds) {
    cells = {std::string(name_of(fill))};
    for (SummationOrder order : all_summation_orders) cells.push_back(by_order[{static_cast<std::size_t>(fill), static_cast<std::size_t>(order)}].text());
    row(out, cells);
  }
  out << '\n';
  cells = {"K"};
  for (const char* format : formats) cells.emplace_back(format);
  head(out, cells);
  for (std::size_t depth = 0; depth < depths.size(); ++depth) {
    cells = {std::to_string(depths[depth])};
    for (std::size_t format = 0; format < formats.size(); ++format) cells.push_back(by_depth[{depth, format}].text());
    row(out, cells);
  }
  std::size_t shown = 0;
  for (const Validation& validation : validations)
    if (validation.verdict != Verdict::pass && validation.verdict != Verdict::inconclusive && ++shown <= 20)
      out << "\n- " << name_of(validation.verdict) << ": " << formats[validation.format] << ' ' << name_of(validation.problem) << ' ' << name_of(validation.fill) << ' '
          << name_of(validation.order) << " seed " << validation.seed << ": " << validation.reason;
  if (shown > 0) out << '\n';
  return all.accused + all.other;
}

void report_detection(std::ostream& out, const std::vector<Validation>& validations, Index k, std::size_t repetitions) {
  // runs: a repetition catches a fault if any fill does
  std::map<std::string, std::map<std::pair<std::size_t, std::size_t>, std::map<std::uint64_t, bool>>> runs;
  std::map<std::string, std::map<std::pair<std::size_t, std::size_t>, Counts>> by_fill;
  for (const Validation& validation : validations) {
    bool& any = runs[validation.fault][{validation.format, validation.rule}][validation.seed];
    any = any || caught(validation);
    by_fill[validation.fault][{static_cast<std::size_t>(validation.fill), validation.rule}].add(validation);
  }
  out << "\n## Detection at K = " << k << "\n\nPercent of " << repetitions << " runs in which at least one of the " << all_fill_kinds.size()
      << " fills catches the fault: derived / normal / torch-like.\n\n";
  head(out, {"fault", formats[0], formats[1], formats[2]});
  for (const std::string& fault : tried()) {
    std::vector<std::string> cells{shown(fault)};
    for (std::size_t format = 0; format < formats.size(); ++format) {
      std::string cell = inapplicable(fault, format);
      for (std::size_t rule = 0; rule < rules.size() && inapplicable(fault, format).empty(); ++rule) {
        Counts counts;
        for (const auto& [seed, any] : runs[fault][{format, rule}]) ++counts.total, counts.accused += any ? 1 : 0;
        cell += (rule > 0 ? " / " : "") + rate(counts);
      }
      cells.push_back(cell);
    }
    row(out, cells);
  }
  for (std::size_t rule = 0; rule < rules.size(); ++rule) {
    out << "\nPercent of single validations, over the formats, " << rules[rule] << ":\n\n";
    std::vector<std::string> cells{"fault"};
    for (FillKind fill : all_fill_kinds) cells.emplace_back(name_of(fill));
    head(out, cells);
    for (const std::string& fault : tried()) {
      cells = {shown(fault)};
      for (FillKind fill : all_fill_kinds) cells.push_back(rate(by_fill[fault][{static_cast<std::size_t>(fill), rule}]));
      row(out, cells);
    }
  }
}

int run(std::size_t count, std::uint64_t seed, const std::string& path) {
  Host host;
  std::ostringstream out;
  out << "# GEMM: false alarms and detection\n\n"
      << count << " validations of correct kernels, seed " << seed << ", outputs of 16 x 16, with (alpha, beta) = (1, 0), (1, 1) and (0.75, -1.5) in turn.\n";

  std::vector<Validation> correct = correct_kernels(count, seed, 0);
  validate_all(host, correct);
  const std::size_t alarms = report_false_alarms(out, correct);

  out << "\n## False alarms of fixed tolerances\n\n";
  head(out, {"rule", formats[0], formats[1], formats[2]});
  for (std::size_t rule = 1; rule < rules.size(); ++rule) {
    std::vector<Validation> fixed = correct_kernels(count / 10, seed, rule);
    validate_all(host, fixed);
    std::array<Counts, formats.size()> counts;
    for (const Validation& validation : fixed) counts[validation.format].add(validation);
    row(out, {rules[rule], counts[0].text(), counts[1].text(), counts[2].text()});
  }

  const std::size_t repetitions = std::max<std::size_t>(1, std::min<std::size_t>(4, count / 5000));
  for (Index k : {3000, 14336}) {
    const std::size_t of_this_depth = k > 10000 ? std::max<std::size_t>(1, repetitions / 4) : repetitions;
    std::vector<Validation> faulty = faulty_kernels(seed, of_this_depth, k);
    validate_all(host, faulty);
    report_detection(out, faulty, k, of_this_depth);
  }
  std::cout << out.str();
  if (!path.empty()) {
    std::ofstream file(path);
    file << out.str();
    if (!file.flush()) {
      std::cerr << "cannot write " << path << '\n';
      return 2;
    }
  }
  return alarms == 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  std::uint64_t validations = 20000, seed = 1;
  std::string path;
  const auto number = [](std::string_view text, std::uint64_t& value) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc() && end == text.data() + text.size();
  };
  for (int i = 1; i < argc; i += 2) {
    const std::string_view option = argv[i], value = i + 1 < argc ? argv[i + 1] : "";
    const bool understood = (option == "--validations" && number(value, validations)) || (option == "--seed" && number(value, seed)) || (option == "--out" && !value.empty());
    if (!understood) {
      std::cerr << "usage: bench_gemm_detection [--validations N] [--seed S] [--out FILE.md]; given: " << option << ' ' << value << '\n';
      return 2;
    }
    if (option == "--out") path = value;
  }
  return run(static_cast<std::size_t>(validations), seed, path);
}
