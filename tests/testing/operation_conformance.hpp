#pragma once

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "assay/faults/operation_faults.hpp"
#include "assay/faults/unseen_faults.hpp"
#include "assay/suite/seed.hpp"
#include "assay/validators/minimize/problem_fields.hpp"
#include "assay/validators/operation_suite.hpp"

/// What holds for the validator of every operation.
namespace assay::testing {

/// What became of the cases of a suite.
struct SuiteResult {
  std::map<Verdict, std::size_t> verdicts;
  double worst_ratio = 0;
  std::string worst_case;
  std::string first_failure;

  [[nodiscard]] std::size_t count(Verdict verdict) const {
    const auto found = verdicts.find(verdict);
    return found == verdicts.end() ? 0 : found->second;
  }
};

[[nodiscard]] inline bool is_large(const Case& entry) {
  return std::find(entry.tags.begin(), entry.tags.end(), "large") != entry.tags.end();
}

/// Runs the cases that are not large, at most `most` of them evenly chosen; or until one fails.
[[nodiscard]] inline SuiteResult run_suite(const Suite& suite, std::uint64_t seed, bool until_failure = false,
                                           std::size_t most = ~std::size_t{0}) {
  SuiteResult result;
  const std::size_t step = most >= suite.size() ? 1 : (suite.size() + most - 1) / most;
  for (std::size_t i = step > 1 ? seed % step : 0; i < suite.size(); i += step) {
    if (is_large(suite[i])) continue;
    CaseContext context;
    context.seed = case_seed(seed, suite[i].id);
    const Outcome outcome = suite[i].run(context);
    ++result.verdicts[outcome.verdict];
    if ((outcome.verdict == Verdict::fail || outcome.verdict == Verdict::error) && result.first_failure.empty())
      result.first_failure = suite[i].id + ": " + outcome.reason;
    const auto ratio = outcome.measurement(measurement::worst_error_ratio);
    if (ratio && *ratio > result.worst_ratio) {
      result.worst_ratio = *ratio;
      result.worst_case = suite[i].id;
    }
    if (until_failure && outcome.verdict == Verdict::fail) break;
  }
  return result;
}

template <Operation Op>
[[nodiscard]] Suite suite_of(const OperationSubject<Op>& subject, const std::vector<ElementFormat>& formats) {
  Suite suite;
  OperationSuiteOptions options;
  options.formats = formats;
  add_operation_cases<Op>(suite, Host(1), subject, options);
  return suite;
}

/// No two cases of one format have the same id, which would leave one of them out.
template <Operation Op>
void require_ids_are_unique(const OperationSubject<Op>& subject) {
  for (const ElementFormat& format : OperationSuiteOptions{}.formats) {
    std::size_t cases = 0;
    for (const auto& shape : Op::shapes(format))
      cases += shape.fills.size() + (shape.fills.empty() || shape.large ? 0 : 1);
    INFO(format.name);
    CHECK(suite_of(subject, {format}).size() == cases);
  }
}

/// Every problem of the default suite is what its fields say, begun from the simplest one: a record of it misses
/// nothing. Block scaling schemes, which are not fields, are kept.
template <Operation Op>
void require_fields_say_all() {
  for (const ElementFormat& format : OperationSuiteOptions{}.formats)
    for (const auto& shape : Op::shapes(format)) {
      typename Op::Problem start;
      if constexpr (requires { start.b.scheme; }) {
        start.a.scheme = shape.problem.a.scheme;
        start.b.scheme = shape.problem.b.scheme;
      }
      const auto same = with_fields(start, recorded_fields(shape.problem));
      INFO(Op::name_of(shape.problem) << (same ? "" : ": " + same.error().message));
      REQUIRE(same);
      CHECK(Op::name_of(same.value()) == Op::name_of(shape.problem));
      CHECK(Op::formats_of(same.value()) == Op::formats_of(shape.problem));
      const auto specs = Op::operands(same.value()), due = Op::operands(shape.problem);
      REQUIRE(specs);
      for (std::size_t i = 0; i < due.value().size(); ++i) {
        CHECK(specs.value()[i].extents == due.value()[i].extents);
        CHECK(specs.value()[i].format == due.value()[i].format);
        CHECK(specs.value()[i].present == due.value()[i].present);
      }
    }
}

/// How many validations each right kernel gets in the long run, which prints what it measured; 0 otherwise:
///   ASSAY_CONFORMANCE_VALIDATIONS=2000 test_kernels
[[nodiscard]] inline std::size_t long_run_validations() {
  const char* const wish = std::getenv("ASSAY_CONFORMANCE_VALIDATIONS");
  return wish != nullptr ? static_cast<std::size_t>(std::strtoull(wish, nullptr, 10)) : 0;
}

/// The default suite accuses no right kernel, decides something of each, and comes near enough to its limits that it is
/// not idle: the largest error / allowed over all of them is at least `least_ratio`.
template <Operation Op>
void require_correct_kernels_pass(double least_ratio, std::size_t cases_a_kernel = 200) {
  double worst = 0;
  std::string where;
  const std::size_t wanted = long_run_validations();
  require_ids_are_unique(OperationFaults<Op>::correct().front());
  require_fields_say_all<Op>();
  for (const OperationSubject<Op>& subject : OperationFaults<Op>::correct()) {
    const Suite suite = suite_of(subject, OperationSuiteOptions{}.formats);
    std::size_t validations = 0, undecided = 0;
    double own_worst = 0;
    for (std::uint64_t seed = 1; seed == 1 || validations < wanted; ++seed) {
      const SuiteResult result = run_suite(suite, seed, false, wanted > 0 ? suite.size() : cases_a_kernel);
      INFO(subject.name << ", seed " << seed << ": " << result.first_failure);
      CHECK(result.count(Verdict::fail) == 0);
      CHECK(result.count(Verdict::error) == 0);
      REQUIRE(result.count(Verdict::pass) > 0);
      validations += result.count(Verdict::pass) + result.count(Verdict::fail) + result.count(Verdict::inconclusive);
      undecided += result.count(Verdict::inconclusive);
      own_worst = std::max(own_worst, result.worst_ratio);
      if (result.worst_ratio > worst) {
        worst = result.worst_ratio;
        where = subject.name + ", " + result.worst_case;
      }
    }
    if (wanted > 0)
      std::printf("| %s | %s | %zu | %zu | %.3g |\n", Op::name(), subject.name.c_str(), validations, undecided,
                  own_worst);
  }
  INFO("the largest error / allowed of right kernels is " << worst << " (" << where << ")");
  CHECK(worst >= least_ratio);
  CHECK(worst <= 1);
}

/// A library's kernel is right in all cases of a suite that it does not refuse, at least `passes`, all decided, and
/// comes near enough to the limits.
inline void require_right(const Suite& suite, std::size_t passes) {
  const SuiteResult result = run_suite(suite, 1);
  INFO(result.first_failure);
  CHECK(result.count(Verdict::fail) == 0);
  CHECK(result.count(Verdict::error) == 0);
  CHECK(result.count(Verdict::inconclusive) == 0);
  CHECK(result.count(Verdict::pass) >= passes);
  CHECK(result.worst_ratio > 0.05);
}

/// A library's kernel is right in at least `passes` cases of a suite, and fails none but those that `known(id)` tells
/// of.
template <class Known>
void require_right_but_known(const Suite& suite, std::size_t passes, Known known) {
  std::size_t passed = 0;
  for (const Case& entry : suite) {
    if (is_large(entry)) continue;
    CaseContext context;
    context.seed = case_seed(1, entry.id);
    const Outcome outcome = entry.run(context);
    passed += outcome.verdict == Verdict::pass ? 1 : 0;
    INFO(entry.id << ": " << outcome.reason);
    CHECK((outcome.verdict != Verdict::error && (outcome.verdict != Verdict::fail || known(entry.id))));
  }
  CHECK(passed >= passes);
}

[[nodiscard]] inline bool has(const std::string& id, const char* part) {
  return id.find(part) != std::string::npos;
}

/// The default suite catches every fault of the operation's own, common ones that are `named`, and a fifth of the
/// others, another fifth for each operation (in the long run all of them), but those that are proved invisible.
template <Operation Op>
void require_faults_are_caught(const std::vector<std::string>& named = {}) {
  std::size_t caught = 0, all = 0;
  const auto require_caught = [&](const OperationSubject<Op>& subject) {
    const SuiteResult result = run_suite(suite_of(subject, OperationSuiteOptions{}.formats), 1, true);
    INFO("fault " << subject.name << " went unseen in " << result.count(Verdict::pass) << " passes");
    CHECK(result.count(Verdict::fail) == 1);
    caught += result.count(Verdict::fail);
    ++all;
  };
  CHECK(OperationFaults<Op>::faults().size() >= 6);
  CHECK_THROWS_AS(OperationFaults<Op>::faulty("of nobody"), std::invalid_argument);
  for (const Fault& fault : OperationFaults<Op>::faults()) require_caught(OperationFaults<Op>::faulty(fault.name));
  std::size_t place = std::string_view(Op::name()).size(), named_tried = 0;
  for (const Fault& fault : common_operation_faults()) {
    const bool is_named = std::find(named.begin(), named.end(), fault.name) != named.end(),
               sampled = place++ % 5 == 0 || long_run_validations() > 0 || is_named;
    if (!sampled || !proof_of_invisibility(Op::name(), fault.name).empty() || launches_to_see(fault.name) != 1)
      continue;
    named_tried += is_named ? 1 : 0;
    require_caught(with_common_fault<Op>(OperationFaults<Op>::correct().front(), fault.name));
  }
  CHECK(named_tried == named.size());
  if (long_run_validations() > 0) std::printf("| %s | faults caught | %zu of %zu | | |\n", Op::name(), caught, all);
}

/// A problem that names the field at fault is refused before anything is launched.
template <Operation Op>
void require_refused(const typename Op::Problem& problem, const std::string& field) {
  const auto specs = Op::operands(problem);
  REQUIRE_FALSE(specs);
  CHECK(specs.error().kind == ErrorKind::invalid);
  INFO(specs.error().message);
  CHECK(specs.error().message.find(field) != std::string::npos);
}

}  // namespace assay::testing
