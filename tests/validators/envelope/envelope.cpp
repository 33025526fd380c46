#include "assay/validators/envelope/envelope.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "assay/faults/softmax_faults.hpp"
#include "assay/kernels/softmax/softmax.hpp"
#include "assay/validators/check_operation.hpp"

using namespace assay;

namespace {

Outcome outcome_of(double ratio, const std::string& shape = "4x100", Verdict verdict = Verdict::pass) {
  Outcome outcome;
  outcome.verdict = verdict;
  outcome.labels = {
      {"operation", "softmax"}, {"backend", "host"}, {"formats", "f32.f32"}, {"shape", shape}, {"data", "normal"}};
  outcome.measure(measurement::elements, 100, "elements");
  outcome.measure(measurement::worst_error_ratio, ratio);
  return outcome;
}

/// Outcomes of a softmax kernel, one a seed, on a problem that the bound alone leaves room in.
std::vector<Outcome> runs_of(const OperationSubject<Softmax>& subject, unsigned first_seed, unsigned runs) {
  Host host(1);
  SoftmaxProblem problem;
  problem.outer = 8;
  problem.length = 100;
  std::vector<Outcome> outcomes;
  for (unsigned seed = first_seed; seed < first_seed + runs; ++seed) {
    Outcome outcome =
        check_operation<Softmax>(host, subject, problem, FillKind::normal, OperationCheckOptions{}, {seed, 1});
    outcome.labels = {{"operation", "softmax"},
                      {"backend", subject.name},
                      {"formats", "f32.f32"},
                      {"shape", name_of(problem)},
                      {"data", "normal"}};
    outcomes.push_back(std::move(outcome));
  }
  return outcomes;
}

/// Divides by a reciprocal that keeps so many bits.
OperationSubject<Softmax> short_reciprocal(const OperationSubject<Softmax>& right, int bits) {
  OperationSubject<Softmax> subject = right;
  subject.name = "reciprocal of " + std::to_string(bits) + " bits";
  subject.run = [right, bits](const SoftmaxProblem& problem, const OperandArray& operands) -> Result<void> {
    if (auto done = right.run(problem, operands); !done) return done;
    const Operand& output = operands[Softmax::output];
    for (Index e = 0; e < output.size(); ++e) output.store(e, output.load(e) * (1 - std::ldexp(1.0, -bits)));
    return {};
  };
  return subject;
}

double share_outside(const Envelope& envelope, const std::vector<Outcome>& outcomes) {
  double outside = 0;
  for (const Outcome& outcome : outcomes) outside += judge(envelope, outcome).outside ? 1 : 0;
  return outside / static_cast<double>(outcomes.size());
}

}  // namespace

TEST_CASE("a conformal limit is an order statistic, and none where the values are too few") {
  std::vector<double> values;
  for (int i = 99; i >= 1; --i) values.push_back(i);
  CHECK(conformal_limit(values, 0.01) == 99);
  CHECK(conformal_limit(values, 0.1) == 90);
  CHECK(conformal_limit(values, 0.5) == 50);
  CHECK(std::isinf(conformal_limit(values, 0.009)));
  CHECK(std::isinf(conformal_limit({}, 0.5)));
}

TEST_CASE("runs beyond the limits are outside; the verdict stays, unless the envelope is required") {
  std::vector<Outcome> runs;
  for (int i = 1; i <= 99; ++i) runs.push_back(outcome_of(i / 1000.0));
  runs.push_back(outcome_of(50, "4x100", Verdict::fail));  // not learned from
  const Envelope envelope = learn_envelope(runs, 0.25);
  REQUIRE(envelope.groups.size() == 1);
  CHECK(envelope.groups.begin()->second.runs == 99);
  CHECK(envelope.groups.begin()->second.limits.at("worst_error_ratio") == Approx(0.095));  // a fifth of the rate
  Outcome inside = outcome_of(0.05, "3x127"), outside = outcome_of(0.5), failed = outcome_of(2, "4x100", Verdict::fail),
          elsewhere = outcome_of(0.05, "4x1000");
  for (Outcome* outcome : {&inside, &outside, &failed, &elsewhere}) apply_envelope(envelope, false, *outcome);
  CHECK(inside.verdict == Verdict::pass);
  CHECK(inside.measurement("outside_envelope") == 0);
  CHECK(inside.diagnosis.empty());
  CHECK(outside.verdict == Verdict::pass);
  CHECK(outside.measurement("outside_envelope") == 1);
  CHECK(*outside.measurement("envelope_excess") == Approx(0.5 / 0.095));
  CHECK(outside.diagnosis.back().find("worst_error_ratio is 0.5, theirs at most 0.095") != std::string::npos);
  CHECK(failed.verdict == Verdict::fail);
  CHECK_FALSE(elsewhere.measurement("outside_envelope"));
  CHECK(elsewhere.diagnosis.back().find("knows no runs") != std::string::npos);
  Outcome required = outcome_of(0.5), unknown = outcome_of(0.05, "4x1000"), inside_required = outcome_of(0.05),
          failed_required = outcome_of(0.05, "4x100", Verdict::fail);
  for (Outcome* outcome : {&required, &unknown, &inside_required, &failed_required})
    apply_envelope(envelope, true, *outcome);
  CHECK(required.verdict == Verdict::inconclusive);
  CHECK(required.reason.find("outside the envelope of 99 runs of 1 known units") != std::string::npos);
  CHECK(unknown.verdict == Verdict::inconclusive);
  CHECK(inside_required.verdict == Verdict::pass);
  CHECK(failed_required.verdict == Verdict::fail);
}

TEST_CASE("too few runs give no limits, and say how many are needed") {
  const Envelope envelope = learn_envelope({outcome_of(0.1), outcome_of(0.2)}, 0.05);
  const EnvelopeJudgment judgment = judge(envelope, outcome_of(0.9));
  CHECK_FALSE(judgment.known);
  CHECK_FALSE(judgment.outside);
  CHECK(judgment.finding.find("need 99") != std::string::npos);
  CHECK(envelope_runs_needed(0.05) == 99);
  CHECK(envelope_runs_needed(0.01) == 499);
}

TEST_CASE("the envelope of right softmax kernels keeps its rate, and shows faults that the bound has room for") {
  constexpr unsigned runs = 100;
  std::vector<std::vector<Outcome>> learned, further;
  std::vector<Outcome> all, fresh;
  std::vector<OperationSubject<Softmax>> kernels;
  for (const OperationSubject<Softmax>& subject : OperationFaults<Softmax>::correct())
    if (subject.arithmetic(SoftmaxProblem{}).accumulation.precision == 24) kernels.push_back(subject);
  for (const OperationSubject<Softmax>& subject : kernels) {
    learned.push_back(runs_of(subject, 1, runs));
    further.push_back(runs_of(subject, 1001, runs));
    all.insert(all.end(), learned.back().begin(), learned.back().end());
    fresh.insert(fresh.end(), further.back().begin(), further.back().end());
  }
  const double rate = 0.1;
  const Envelope envelope = learn_envelope(all, rate);
  const double false_alarms = share_outside(envelope, fresh);
  const bool print = std::getenv("ASSAY_ENVELOPE_TABLE") != nullptr;
  if (print)
    std::printf("| further runs of the known kernels | outside %.3f, promised at most %.3f |\n", false_alarms, rate);
  CHECK(false_alarms <= rate + 3 * std::sqrt(rate / static_cast<double>(fresh.size())));
  for (std::size_t left_out = 0; left_out < kernels.size(); ++left_out) {
    std::vector<Outcome> others;
    for (std::size_t i = 0; i < kernels.size(); ++i)
      if (i != left_out) others.insert(others.end(), learned[i].begin(), learned[i].end());
    if (print)
      std::printf("| %s, left out | outside %.3f |\n", kernels[left_out].name.c_str(),
                  share_outside(learn_envelope(others, rate), further[left_out]));
  }
  std::vector<OperationSubject<Softmax>> faulty{short_reciprocal(kernels.front(), 21),
                                                short_reciprocal(kernels.front(), 22),
                                                short_reciprocal(kernels.front(), 23)};
  for (const char* fault : {"truncated_output", "last_term_missing", "narrow_sum"})
    faulty.push_back(OperationFaults<Softmax>::faulty(fault));
  std::vector<double> powers;
  for (const OperationSubject<Softmax>& subject : faulty) {
    std::vector<Outcome> passed;
    for (Outcome& outcome : runs_of(subject, 1, runs))
      if (outcome.verdict == Verdict::pass) passed.push_back(std::move(outcome));
    powers.push_back(passed.empty() ? 0 : share_outside(envelope, passed));
    if (print)
      std::printf("| %s, %zu of %u runs pass the bound | outside %.3f |\n", subject.name.c_str(), passed.size(), runs,
                  powers.back());
    CHECK((passed.empty() || passed.size() == runs));
  }
  CHECK(powers[0] > 0.95);
  CHECK(powers[1] > 0.95);
}
