#include "assay/validators/check_gemm.hpp"

#include <atomic>
#include <memory>

#include "assay/kernels/gemm/portable.hpp"
#include "testing/catch.hpp"
#include "validators/gemm_checks.hpp"

using namespace assay;
using namespace assay::testing;

namespace {

/// A correct kernel that does something more after each run; `after(run number, problem, arguments)`.
template <class Op, class After>
GemmSubject<Op> correct_then(After after) {
  GemmSubject<Op> subject;
  subject.name = "correct-then";
  auto runs = std::make_shared<std::atomic<int>>(0);
  subject.run = [after, runs, right = correct<Op>()](const GemmProblem& problem,
                                                     const typename Op::Arguments& arguments) -> Result<void> {
    if (auto run = right.run(problem, arguments); !run) return run;
    after(++*runs, problem, arguments);
    return {};
  };
  return subject;
}

template <class Op>
GemmSubject<Op> refusing(ErrorKind kind) {
  GemmSubject<Op> subject;
  subject.name = "refusing";
  subject.run = [kind](const GemmProblem&, const typename Op::Arguments&) -> Result<void> {
    return failure(kind, "K is odd");
  };
  return subject;
}

GemmProblem spaced() {
  GemmProblem problem = gemm_of(6, 7, 20, 3);
  problem.leading_dimension_c = 11;
  problem.batch_stride_c = 80;
  return problem;
}

}  // namespace

TEST_CASE("what the subject refuses is unsupported, what fails is an error, and never a pass") {
  const Outcome unsupported = check(refusing<F32Gemm>(ErrorKind::unsupported), gemm_of(4, 4, 3), FillKind::normal);
  CHECK(unsupported.verdict == Verdict::unsupported);
  CHECK(unsupported.reason == "K is odd");
  for (ErrorKind kind : {ErrorKind::invalid, ErrorKind::out_of_memory}) {
    const Outcome error = check(refusing<F32Gemm>(kind), gemm_of(0, 4, 3), FillKind::normal);
    CHECK(error.verdict == Verdict::error);
    CHECK(error.reason == "K is odd");
  }
}

TEST_CASE("the output of a GEMM is shown without the gaps between its rows") {
  Host host(1);
  std::vector<ObservedOutput> shown;
  const OutputObserver observer = [&](const ObservedOutput& output) { shown.push_back(output); };
  CHECK(check_gemm<F32Gemm>(host, correct<F32Gemm>(), spaced(), FillKind::normal, {}, {7, 2, &observer}).verdict ==
        Verdict::pass);
  REQUIRE(shown.size() == 1);
  CHECK(shown[0].extents == std::vector<std::int64_t>{3, 6, 7});
  CHECK(shown[0].codes.size() == 3 * 6 * 7 * 4);
  REQUIRE(shown[0].allowed.size() == 3 * 6 * 7);
  for (const double allowed : shown[0].allowed) CHECK((allowed > 0 && allowed < 1e-3));
}

TEST_CASE("a problem that cannot be is an error that names the field") {
  GemmProblem problem = gemm_of(4, 4, 4);
  problem.leading_dimension_b = 2;
  const Outcome outcome = check(correct<F32Gemm>(), problem, FillKind::normal);
  CHECK(outcome.verdict == Verdict::error);
  CHECK_THAT(outcome.reason, contains("leading_dimension of B is 2"));
}

TEST_CASE("correct kernels pass on degenerate problems, and on batch strides that say nothing") {
  GemmProblem single = gemm_of(6, 7, 8);
  single.leading_dimension_c = 12;
  single.batch_stride_c = 3;
  GemmProblem scaled_only = gemm_of(5, 5, 0);
  scaled_only.beta = 0.3;
  GemmProblem nothing = gemm_of(5, 5, 9);
  nothing.alpha = 0;
  GemmProblem copied = nothing;
  copied.beta = 0.7;
  for (const GemmProblem& problem : {single, gemm_of(0, 5, 5), gemm_of(5, 0, 5), gemm_of(5, 5, 0), gemm_of(5, 5, 5, 0),
                                     gemm_of(1, 1, 1), spaced(), scaled_only, nothing, copied})
    for (FillKind fill : all_fill_kinds) {
      const Outcome outcome = check(correct<F32Gemm>(), problem, fill);
      INFO(name_of(problem) << ' ' << name_of(fill) << ": " << said(outcome));
      CHECK(outcome.verdict == Verdict::pass);
    }
}

TEST_CASE("gaps between rows and matrices may not be written") {
  for (Index place :
       {Index{7}, Index{10}, Index{5 * 11 + 7}}) {  // behind the first row; before the second; behind the first matrix
    const auto outcome = check(
        correct_then<F32Gemm>([=](int, const GemmProblem&, const auto& arguments) { arguments.c.data[place] = 0; }),
        spaced(), FillKind::normal);
    CHECK(outcome.verdict == Verdict::fail);
    CHECK_THAT(outcome.reason, contains("1 elements between the rows or matrices of C were overwritten"));
    CHECK_THAT(outcome.reason, contains("leading_dimension"));
  }
  CHECK(check(correct<F32Gemm>(), spaced(), FillKind::normal).verdict == Verdict::pass);
}

TEST_CASE("memory ahead of the output is watched, and B too") {
  const auto before =
      check(correct_then<F32Gemm>([](int, const GemmProblem&, const auto& arguments) { arguments.c.data[-1] = 0; }),
            gemm_of(4, 4, 4), FillKind::normal);
  CHECK(before.verdict == Verdict::fail);
  CHECK_THAT(before.reason, contains("canary of C overwritten: 1 elements before"));
  const auto modified = check(correct_then<F32Gemm>([](int, const GemmProblem&, const auto& arguments) {
                                const_cast<float&>(arguments.b.data[3]) += 1;
                              }),
                              gemm_of(4, 4, 4), FillKind::normal);
  CHECK(modified.verdict == Verdict::fail);
  CHECK_THAT(modified.reason, contains("input B was modified"));
}

TEST_CASE("a kernel that changes its inputs first does not change the reference") {
  GemmSubject<F32Gemm> subject;
  subject.name = "spoils-inputs";
  subject.run = [](const GemmProblem& problem, const F32Gemm::Arguments& arguments) -> Result<void> {
    for (Index i = 0; i < problem.m * problem.k; ++i) const_cast<float&>(arguments.a.data[i]) = 0;
    return correct<F32Gemm>().run(problem, arguments);
  };
  const Outcome outcome = check(subject, gemm_of(8, 8, 8), FillKind::normal);
  CHECK(outcome.verdict == Verdict::fail);
  CHECK(outcome.measurement(measurement::violations).value_or(0) == 64);
}

TEST_CASE("runs that differ are told of, and refuted where determinism is asked") {
  const auto subject = [] {
    return correct_then<Bf16Gemm>([](int run, const GemmProblem&, const auto& arguments) {
      if (run == 3) arguments.c(0, 0, 0).bits ^= 0x8000;
    });
  };
  // an exact zero whose sign changes: right both times
  GemmProblem zero = gemm_of(4, 4, 4);
  zero.alpha = 0;
  const Outcome noted = check(subject(), zero, FillKind::normal, 1, {}, 4);
  CHECK(noted.verdict == Verdict::pass);
  CHECK(noted.measurement("differing_runs").value_or(0) == 1);
  CHECK_THAT(said(noted), contains("1 of 3 repeated runs differ"));
  GemmCheckOptions strict;
  strict.require_determinism = true;
  const Outcome refuted = check(subject(), zero, FillKind::normal, 1, strict, 4);
  CHECK(refuted.verdict == Verdict::fail);
  CHECK_THAT(refuted.reason, contains("1 of 3 repeated runs differ"));
  CHECK(check(correct<Bf16Gemm>(), zero, FillKind::normal, 1, strict, 4).verdict == Verdict::pass);
}

TEST_CASE("a run that is wrong is a failure, whichever it is") {
  for (int wrong : {1, 2, 4}) {
    const auto subject = correct_then<F32Gemm>([=](int run, const GemmProblem&, const auto& arguments) {
      if (run == wrong) arguments.c(0, 1, 2) += 1;
    });
    const Outcome outcome = check(subject, gemm_of(4, 4, 4), FillKind::normal, 1, {}, 4);
    INFO("run " << wrong);
    CHECK(outcome.verdict == Verdict::fail);
    CHECK(outcome.measurement(measurement::violations).value_or(0) == 1);
    if (wrong > 1) CHECK_THAT(outcome.reason, contains("run " + std::to_string(wrong) + " of 4"));
  }
}

TEST_CASE("memory spoiled in a later run only is a failure") {
  const auto subject = correct_then<F32Gemm>([](int run, const GemmProblem&, const auto& arguments) {
    if (run == 2) const_cast<float&>(arguments.a.data[0]) += 1;
  });
  const Outcome outcome = check(subject, gemm_of(4, 4, 4), FillKind::normal, 1, {}, 3);
  CHECK(outcome.verdict == Verdict::fail);
  CHECK_THAT(outcome.reason, contains("input A was modified"));
}

TEST_CASE("the tolerance chosen is the one that judges") {
  const auto off_by_a_little =
      correct_then<F32Gemm>([](int, const GemmProblem&, const auto& arguments) { arguments.c(0, 0, 0) *= 1.00005F; });
  const GemmProblem problem = gemm_of(8, 8, 50);
  const auto verdict = [&](const char* tolerance) {
    return check(off_by_a_little, problem, FillKind::uniform, 1, with_tolerance(tolerance)).verdict;
  };
  CHECK(verdict("derived") == Verdict::fail);
  CHECK(verdict("exact") == Verdict::fail);
  CHECK(verdict("strict") == Verdict::fail);
  CHECK(verdict("normal") == Verdict::pass);
  CHECK(verdict("relaxed") == Verdict::pass);
  CHECK(verdict("ulps=2") == Verdict::fail);
  CHECK(verdict("ulps=4000") == Verdict::pass);
  CHECK(verdict("atol=1,rtol=0") == Verdict::pass);
  const Outcome told = check(off_by_a_little, problem, FillKind::uniform, 1, with_tolerance("atol=1,rtol=0"));
  CHECK_THAT(told.derivation.back(), contains("|out - r| <= 1"));
}

TEST_CASE("the seed makes the data, and the outcome tells what was measured") {
  std::vector<double> errors;
  for (std::uint64_t seed : {1u, 1u, 2u}) {
    const Outcome outcome = check(correct<F32Gemm>(), gemm_of(16, 16, 100), FillKind::normal, seed);
    REQUIRE(outcome.verdict == Verdict::pass);
    errors.push_back(outcome.measurement(measurement::max_absolute_error).value_or(-1));
    CHECK(outcome.measurement(measurement::elements).value_or(0) == 256);
    CHECK(outcome.measurement(measurement::worst_error_ratio).value_or(2) <= 1);
    for (const char* name :
         {measurement::kernel_seconds, measurement::reference_seconds, measurement::comparison_seconds})
      CHECK(outcome.measurement(name).has_value());
    CHECK(outcome.derivation.size() >= 4);
  }
  CHECK(errors[0] == errors[1]);
  CHECK(errors[0] != errors[2]);
}

TEST_CASE("data of the user's own are checked with the worst-case bound") {
  const std::vector<double> a{1, 2, 3, 4}, b{5, 6, 7, 8};
  const GemmProblem problem = gemm_of(2, 2, 2);
  const GemmData data = GemmData::given(problem, a.data(), b.data());
  CHECK(check_gemm<F32Gemm>(shared_host(), correct<F32Gemm>(), problem, data, {}, CaseContext{}).verdict ==
        Verdict::pass);
  CHECK(check_gemm<F32Gemm>(shared_host(), faulty<F32Gemm>("dropped_term"), problem, data, {}, CaseContext{}).verdict ==
        Verdict::fail);
}

TEST_CASE("a void bound is inconclusive, yet writes to foreign memory fail") {
  using Narrow = Gemm<bfloat16, bfloat16, bfloat16, bfloat16>;
  const GemmProblem problem = gemm_of(4, 4, 3000);
  const Outcome undecided = check(correct<Narrow>(), problem, FillKind::constant);
  CHECK(undecided.verdict == Verdict::inconclusive);
  CHECK(!undecided.reason.empty());
  CHECK(check(faulty<Narrow>("canary_overwritten"), problem, FillKind::constant).verdict == Verdict::fail);
  CHECK(check(faulty<Narrow>("unwritten_output"), problem, FillKind::constant).verdict == Verdict::fail);
}

namespace {

/// A kernel of the precision that the reference has, whose elements are then moved by shares of what they may deviate.
template <class Move>
GemmSubject<F32Gemm> moved_by(const Move& share) {
  GemmSubject<F32Gemm> subject;
  subject.name = "moved";
  subject.run = [share](const GemmProblem& problem, const F32Gemm::Arguments& arguments) -> Result<void> {
    Host host(2);
    auto stream = host.make_stream();
    const ExplainedGemmBound explained =
        gemm_bound(problem, accumulation_in<float32>(), RoundingModel::statistical, problem.k, false);
    auto reference =
        gemm_reference<F32Gemm>(host, stream.value(), problem, arguments, explained.bound, {GemmScales::exact});
    if (!reference) return reference.propagate();
    for (Index row = 0; row < problem.m; ++row)
      for (Index column = 0; column < problem.n; ++column) {
        const ExpectedElement expected = reference.value().expected()(row, column);
        arguments.c(0, row, column) = static_cast<float>(expected.value + share(row, column) * expected.error);
      }
    return {};
  };
  return subject;
}

}  // namespace

TEST_CASE("large products are judged with scales from above, and elements in doubt with their exact ones") {
  const GemmProblem problem = gemm_of(64, 64, 65536);
  const auto of = [&](const auto& share) { return check(moved_by(share), problem, FillKind::normal); };
  const auto mentions = [](const Outcome& outcome, const char* text) {
    for (const std::string& line : outcome.derivation)
      if (line.find(text) != std::string::npos) return true;
    return false;
  };

  const Outcome clean = of([](Index, Index) { return 0.01; });
  CHECK(clean.verdict == Verdict::pass);
  CHECK(mentions(clean, "summed exactly for 0 elements"));

  const Outcome one = of([](Index row, Index column) { return row == 20 && column == 30 ? 0.9 : 0; });
  INFO(said(one));
  CHECK(one.verdict == Verdict::pass);
  CHECK(mentions(one, "summed exactly for 1 elements"));

  const Outcome beyond =
      of([](Index row, Index column) { return row == 20 && column == 30 ? 1.05 : 0; });  // within the bound from above
  CHECK(beyond.verdict == Verdict::fail);
  CHECK_THAT(beyond.reason, contains("1 of 4096 elements"));
  CHECK(mentions(beyond, "summed exactly for 1 elements"));

  // more than a comparison refines: an exact reference is made
  const GemmProblem wide = gemm_of(1024, 1024, 256);
  const Outcome everywhere = check(moved_by([](Index, Index) { return 0.5; }), wide, FillKind::normal);
  CHECK(everywhere.verdict == Verdict::pass);
  CHECK_FALSE(mentions(everywhere, "from above"));
  CHECK(*everywhere.measurement(measurement::worst_error_ratio) == Approx(0.5).epsilon(0.01));
  const Outcome nearly =
      check(moved_by([](Index row, Index column) { return row == 1023 && column == 1023 ? 1.05 : 0.5; }), wide,
            FillKind::normal);
  CHECK(nearly.verdict == Verdict::fail);
  CHECK_THAT(nearly.reason, contains("1 of 1048576 elements"));
}
