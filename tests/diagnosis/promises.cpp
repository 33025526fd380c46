#include "assay/diagnosis/promises.hpp"

#include <cmath>
#include <functional>
#include <string>

#include "assay/diagnosis/budget.hpp"
#include "assay/formats/flush_subnormal.hpp"
#include "assay/kernels/rearrangement/rearrangement.hpp"
#include "assay/validators/check_gemm.hpp"
#include "assay/validators/check_operation.hpp"
#include "testing/catch.hpp"

using namespace assay;
using namespace assay::testing;

namespace {

template <class T>
using Product = Gemm<T, T, float32, T>;

/// A dot product in a unit that reads and writes subnormal numbers as 0, sums included, as VDPBF16PS does; or that keeps
/// them; then `spoilt`.
template <class T>
GemmSubject<Product<T>> product(bool flushes, std::function<float(float)> spoilt = nullptr) {
  GemmSubject<Product<T>> subject;
  subject.name = "unit";
  subject.run = [flushes, spoilt](const GemmProblem& problem, const typename Product<T>::Arguments& operands) {
    const auto flushed = [flushes](float value) {
      return flushes && std::fabs(value) < 0x1p-126F ? std::copysign(0.0F, value) : value;
    };
    const auto number = [flushes](T value) {
      return static_cast<float>(decode(flushes ? flush_subnormal(value) : value));
    };
    for (Index batch = 0; batch < problem.batch; ++batch)
      for (Index i = 0; i < problem.m; ++i)
        for (Index j = 0; j < problem.n; ++j) {
          float sum = 0;
          for (Index k = 0; k < problem.k; ++k)
            sum = flushed(std::fma(number(operands.a(batch, i, k)), number(operands.b(batch, k, j)), sum));
          if (spoilt) sum = spoilt(sum);
          const T result = encode<T>(static_cast<double>(sum));
          operands.c(batch, i, j) = flushes ? flush_subnormal(result) : result;
        }
    return Result<void>();
  };
  return subject;
}

/// Runs one case by promises, "" for none.
template <class T>
Outcome judged(const GemmSubject<Product<T>>& subject, FillKind fill, const std::string& promises,
               bool diagnoses = true) {
  GemmProblem problem;
  problem.m = 19, problem.n = 23, problem.k = 37;
  GemmCheckOptions options;
  options.diagnosis = {diagnoses ? &diagnose_unless_promised : &judge_promises_alone, 1, diagnoses};
  Suite suite(1);
  suite.front().id = "gemm/unit";
  suite.front().labels = {{"operation", "gemm"}, {"backend", "unit"}};
  suite.front().run = [&](const CaseContext& context) {
    Host host(1);
    return check_gemm<Product<T>>(host, subject, problem, fill, options, context);
  };
  if (!promises.empty()) judge_by_promises(suite, read_promises(promises, "documented by a test").value());
  CaseContext context;
  context.seed = 7;
  return suite.front().run(context);
}

}  // namespace

TEST_CASE("a unit that flushes passes by its promise, and not without it", "[diagnosis]") {
  const auto unit = product<bfloat16>(true);
  const Outcome alone = judged<bfloat16>(unit, FillKind::subnormal, "");
  CHECK(alone.verdict == Verdict::fail);
  CHECK(alone.label("judged_with").empty());
  for (const FillKind fill : all_fill_kinds)
    for (const bool diagnoses : {true, false}) {
      const Outcome promised = judged<bfloat16>(unit, fill, "flush_products=bf16", diagnoses);
      INFO(name_of(fill) << ": " << promised.reason << (promised.diagnosis.empty() ? "" : promised.diagnosis.front()));
      CHECK((promised.verdict == Verdict::pass || promised.verdict == Verdict::inconclusive));
      CHECK(promised.measurement(measurement::worst_error_ratio).value_or(0) <= 1);
    }
  const Outcome promised = judged<bfloat16>(unit, FillKind::subnormal, "flush_products=bf16");
  CHECK(promised.verdict == Verdict::pass);
  CHECK(promised.label("judged_with") == "subnormals of bf16 dot products are flushed (documented by a test)");
  CHECK(promised.measurement(measurement::violations) == 0);
  CHECK(promised.measurement("accepted_by_promise").value_or(0) > 0);
  CHECK_THAT(promised.diagnosis.at(0), contains("elements are right because of it"));
}

TEST_CASE("a promise of flushing excuses nothing else", "[diagnosis]") {
  const std::string promise = "flush_products=bf16";
  SECTION("wrong normal numbers") {
    const auto wrong = product<bfloat16>(true, [](float sum) { return sum * 1.02F; });
    for (const FillKind fill : {FillKind::uniform, FillKind::normal, FillKind::log_uniform}) {
      const Outcome outcome = judged<bfloat16>(wrong, fill, promise);
      CHECK(outcome.verdict == Verdict::fail);
      CHECK(outcome.label("judged_with").empty());
    }
  }
  SECTION("normal numbers that are taken for subnormal ones") {
    const auto wrong = product<bfloat16>(true, [](float sum) { return std::fabs(sum) < 0.25F ? 0.0F : sum; });
    CHECK(judged<bfloat16>(wrong, FillKind::normal, promise).verdict == Verdict::fail);
  }
  SECTION("a wrong element among flushed ones") {
    int calls = 0;
    const auto wrong = product<bfloat16>(true, [&](float sum) { return ++calls == 40 ? sum + 1.0F : sum; });
    const Outcome outcome = judged<bfloat16>(wrong, FillKind::subnormal, promise, false);
    CHECK(outcome.verdict == Verdict::fail);
    CHECK_THAT(outcome.diagnosis.back(), contains("known properties of the unit do not explain it"));
  }
  SECTION("flushing in another format than the promised one") {
    CHECK(judged<float16>(product<float16>(true), FillKind::subnormal, "flush_products=bf16").verdict == Verdict::fail);
    CHECK(judged<float16>(product<float16>(true), FillKind::subnormal, "flush_products=f16").verdict == Verdict::pass);
  }
  SECTION("another property") {
    CHECK(judged<bfloat16>(product<bfloat16>(true), FillKind::subnormal, "default_nan").verdict == Verdict::fail);
  }
}

TEST_CASE("who keeps subnormal numbers passes with and without the promise", "[diagnosis]") {
  for (const char* promise : {"", "flush_products=bf16", "flush_subnormals"})
    for (const FillKind fill : {FillKind::subnormal, FillKind::extreme, FillKind::normal}) {
      const Outcome outcome = judged<bfloat16>(product<bfloat16>(false), fill, promise);
      CHECK((outcome.verdict == Verdict::pass || outcome.verdict == Verdict::inconclusive));
      CHECK(outcome.label("judged_with").empty());
    }
}

TEST_CASE("copies are judged by promises of flushing and of one NaN", "[diagnosis]") {
  const auto judged_copy = [](const std::string& promises, bool flushes, bool forgets, FillKind fill, bool moves) {
    OperationSubject<Rearrangement> subject = portable_operation_subject<Rearrangement>(Host(1));
    const auto right = subject.run;
    subject.run = [=](const RearrangementProblem& problem, const OperandArray& operands) {
      auto done = right(problem, operands);
      const Operand& output = operands[problem.parts];
      const FloatLayout layout = output.format.layout;
      for (Index element = 0; element < output.size(); ++element) {
        const double value = output.load(element);
        if (flushes && value != 0 && std::fabs(value) < std::ldexp(1.0, layout.min_exponent()))
          output.store(element, 0);
        if (forgets && is_nan(value))
          output.format.store_code(output.data, output.offset_of(element), layout.nan_bits());
      }
      if (moves && output.size() > 0) output.store(0, output.load(output.size() - 1) == 1 ? 2 : 1);
      return done;
    };
    Verdict worst = Verdict::pass;
    for (const auto& shape : Rearrangement::shapes(element_format<bfloat16>())) {
      if (shape.large || Rearrangement::operation_of(shape.problem) != "permute") continue;
      Suite suite(1);
      suite.front().labels = {{"operation", "permute"}, {"backend", "unit"}};
      suite.front().run = [&](const CaseContext& context) {
        Host host(1);
        OperationCheckOptions options;
        options.diagnosis = {&judge_promises_alone, 1, false};
        return check_operation<Rearrangement>(host, subject, shape.problem, fill, options, context);
      };
      if (!promises.empty()) judge_by_promises(suite, read_promises(promises, "").value());
      if (suite.front().run({}).verdict == Verdict::fail) worst = Verdict::fail;
    }
    return worst;
  };
  CHECK(judged_copy("", true, false, FillKind::subnormal, false) == Verdict::fail);
  CHECK(judged_copy("flush_products=bf16", true, false, FillKind::subnormal, false) == Verdict::fail);
  CHECK(judged_copy("flush_subnormals=bf16", true, false, FillKind::subnormal, false) == Verdict::pass);
  CHECK(judged_copy("flush_subnormals=bf16", true, false, FillKind::subnormal, true) == Verdict::fail);
  CHECK(judged_copy("", false, true, FillKind::special, false) == Verdict::fail);
  CHECK(judged_copy("flush_subnormals", false, true, FillKind::special, false) == Verdict::fail);
  CHECK(judged_copy("flush_subnormals", true, true, FillKind::special, false) == Verdict::fail);
  CHECK(judged_copy("flush_subnormals,default_nan", true, true, FillKind::special, false) == Verdict::pass);
  CHECK(judged_copy("default_nan", false, true, FillKind::special, false) == Verdict::pass);
  CHECK(judged_copy("default_nan", false, true, FillKind::special, true) == Verdict::fail);
}
