#include "assay/validators/check_operation.hpp"

#include <catch2/catch.hpp>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>

#include "assay/backends/emulated_device.hpp"
#include "assay/formats/small_formats.hpp"
#include "assay/kernels/softmax/softmax.hpp"
#include "assay/tolerance/tolerance_named.hpp"
#include "testing/axpy.hpp"
#include "testing/failing_calls.hpp"

using namespace assay;
using testing::Axpy;
using testing::AxpyProblem;

namespace {

struct StoreTwo {
  Operand output;
  ASSAY_FUNCTION void operator()(std::size_t) const { output.store(3, 2); }
};

/// The right kernel of one row, on any backend, but for one element.
struct AxpyRow {
  AxpyProblem problem;
  OperandArray operands;
  Index missed;
  ASSAY_FUNCTION void operator()(std::size_t index) const {
    double negative = 0;
    const Index first = static_cast<Index>(index) * problem.columns;
    for (Index e = first; e < first + problem.columns; ++e) {
      const double x = operands[Axpy::x].load(e);
      negative += x < 0 ? 1 : 0;
      if (e != missed)
        operands[Axpy::y].store(e, static_cast<float>(operands[Axpy::y].load(e)) +
                                       static_cast<float>(problem.scale) * static_cast<float>(x));
    }
    operands[Axpy::count].store(static_cast<Index>(index), negative);
  }
};

/// The right kernel, after which `spoil(operands, run)` has its way; runs are counted from 1.
template <class Spoil>
Outcome checked(Spoil spoil, const CaseContext& context = {7, 1}, const OperationCheckOptions& options = {},
                const AxpyProblem& problem = {}, FillKind kind = FillKind::normal) {
  Host host(1);
  OperationSubject<Axpy> subject = portable_operation_subject<Axpy>(host);
  const auto runs = std::make_shared<int>(0);
  subject.run = [right = subject.run, spoil, runs](const AxpyProblem& own,
                                                   const OperandArray& operands) -> Result<void> {
    if (auto done = right(own, operands); !done) return done;
    return spoil(operands, ++*runs);
  };
  return check_operation<Axpy>(host, subject, problem, kind, options, context);
}

Outcome checked_with(void (*spoil)(const OperandArray&)) {
  return checked([spoil](const OperandArray& operands, int) -> Result<void> {
    spoil(operands);
    return {};
  });
}

}  // namespace

TEST_CASE("a right kernel passes, in place, with two outputs, and says how its bound comes about") {
  for (const FillKind kind : {FillKind::normal, FillKind::special, FillKind::constant}) {
    const Outcome outcome = checked([](const OperandArray&, int) -> Result<void> { return {}; }, {7, 3}, {}, {}, kind);
    INFO(outcome.reason);
    CHECK(outcome.verdict == Verdict::pass);
    CHECK(outcome.measurement(measurement::elements) == 68);
    CHECK(outcome.measurement("differing_runs") == 0);
    REQUIRE(outcome.derivation.size() == 2);
    CHECK(outcome.derivation.front() == "two roundings");
  }
}

TEST_CASE("what a kernel gave in its first run is shown, with what is allowed of each element") {
  std::vector<ObservedOutput> shown;
  const OutputObserver observer = [&](const ObservedOutput& output) { shown.push_back(output); };
  const Outcome outcome = checked(
      [](const OperandArray& operands, int run) -> Result<void> {
        if (run == 1) operands[Axpy::y].store(17, 1000);
        return {};
      },
      {7, 3, &observer});
  CHECK(outcome.verdict == Verdict::fail);
  REQUIRE(shown.size() == 2);
  CHECK(shown[0].name == "y");
  CHECK(shown[0].format == "f32");
  CHECK(shown[0].extents == std::vector<std::int64_t>{4, 16});
  REQUIRE(shown[0].values.size() == 64);
  CHECK(shown[0].values[17] == 1000);
  REQUIRE(shown[0].codes.size() == 256);
  CHECK(std::vector<unsigned char>(shown[0].codes.begin() + 68, shown[0].codes.begin() + 72) ==
        std::vector<unsigned char>{0, 0, 0x7A, 0x44});
  REQUIRE(shown[0].allowed.size() == 64);
  for (const double allowed : shown[0].allowed) {
    CHECK(allowed > 0);
    CHECK(allowed < 1e-5);
  }
  CHECK(shown[1].extents == std::vector<std::int64_t>{4});
  CHECK(shown[1].codes.size() == 16);
}

TEST_CASE("where NaN is due and the format has none, whatever stands there is allowed") {
  const auto allowed_of = [](const ElementFormat& format, double expected) {
    const auto constant = [expected](Index, Index) { return ExpectedElement{expected, 0}; };
    float memory = 0;
    Operand output = contiguous_operand(&memory, {1, 1});
    output.format = format;
    double allowed = -1;
    const AnyExpectation any(constant);
    detail::show_output([&](const ObservedOutput& shown) { allowed = shown.allowed.at(0); }, "y", output, &any, {});
    return allowed;
  };
  const double infinity = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
  for (const ElementFormat& without :
       {element_format<float4_e2m1fn>(), element_format<std::int8_t>(), element_format<std::int32_t>()}) {
    INFO(without.name);
    CHECK(allowed_of(without, nan) == infinity);
    CHECK(allowed_of(without, 1) == 0);
  }
  CHECK(allowed_of(element_format<float8_e4m3fn>(), nan) == 0);
  CHECK(allowed_of(element_format<float32>(), nan) == 0);
  CHECK(allowed_of(element_format<float32>(), infinity) == 0);
}

TEST_CASE("a wrong element of either output fails, and the output is named") {
  const Outcome first = checked_with([](const OperandArray& operands) { operands[Axpy::y].store(17, 1000); });
  CHECK(first.verdict == Verdict::fail);
  CHECK(first.reason.find("y: 1 of 64 elements") == 0);
  CHECK(first.tables.size() == 1);
  const Outcome second = checked_with([](const OperandArray& operands) { operands[Axpy::count].store(3, -1); });
  CHECK(second.verdict == Verdict::fail);
  CHECK(second.reason.find("count: 1 of 4 elements") == 0);
}

TEST_CASE("writes where nobody may write, and elements left unwritten, fail") {
  const auto reason = [](void (*spoil)(const OperandArray&)) {
    const Outcome outcome = checked_with(spoil);
    CHECK(outcome.verdict == Verdict::fail);
    return outcome.reason;
  };
  CHECK(reason([](const OperandArray& operands) { operands[Axpy::x].store(5, 3); }) == "input x was modified");
  CHECK(reason([](const OperandArray& operands) {
          operands[Axpy::y].format.store(operands[Axpy::y].data, 64, 1);
        }).find("canary of y overwritten: 0 words before, 1 behind") == 0);
  CHECK(reason([](const OperandArray& operands) {
          operands[Axpy::y].format.store(operands[Axpy::y].data, -1, 1);
        }).find("canary of y overwritten: 1 words before") == 0);
  AxpyProblem odd;  // whose 15 floats end within a word
  odd.rows = 3;
  odd.columns = 5;
  const Outcome beside = checked(
      [](const OperandArray& operands, int) -> Result<void> {
        operands[Axpy::y].format.store(operands[Axpy::y].data, 15, 1);
        return {};
      },
      {7, 1}, {}, odd);
  CHECK(beside.verdict == Verdict::fail);
  CHECK(beside.reason.find("1 elements beside those of y were overwritten") == 0);
  OperationCheckOptions padded;
  padded.storage = {3, 1};
  const Outcome gap = checked(
      [](const OperandArray& operands, int) -> Result<void> {
        operands[Axpy::y].format.store(operands[Axpy::y].data, 16, 1);
        return {};
      },
      {7, 1}, padded);
  CHECK(gap.verdict == Verdict::fail);
  CHECK(gap.reason.find("1 elements between the rows of y were overwritten") == 0);
  CHECK(checked([](const OperandArray&, int) -> Result<void> { return {}; }, {7, 1}, padded).verdict == Verdict::pass);
}

TEST_CASE("refusals and failures are no passes") {
  const Outcome unsupported = checked(
      [](const OperandArray&, int) -> Result<void> { return failure(ErrorKind::unsupported, "not on Tuesdays"); });
  CHECK(unsupported.verdict == Verdict::unsupported);
  CHECK(unsupported.reason == "not on Tuesdays");
  CHECK(checked([](const OperandArray&, int) -> Result<void> { return failure(ErrorKind::device, "gone"); }).verdict ==
        Verdict::error);
  AxpyProblem impossible;
  impossible.columns = -1;
  const Outcome invalid = checked([](const OperandArray&, int) -> Result<void> { return {}; }, {7, 1}, {}, impossible);
  CHECK(invalid.verdict == Verdict::error);
  CHECK(invalid.reason.find("columns is -1") == 0);
}

TEST_CASE("one wrong run of many fails, one that differs rightly is told, and fails only where determinism is asked") {
  const Outcome wrong = checked(
      [](const OperandArray& operands, int run) -> Result<void> {
        if (run == 3) operands[Axpy::y].store(2, 99);
        return {};
      },
      {7, 4});
  CHECK(wrong.verdict == Verdict::fail);
  CHECK(wrong.reason.find("run 3 of 4: y: 1 of 64") == 0);
  const auto last_bit = [](const OperandArray& operands, int run) -> Result<void> {
    const Operand& y = operands[Axpy::y];
    if (run == 2) y.format.store_code(y.data, 0, y.format.load_code(y.data, 0) ^ 1);
    return {};
  };
  const Outcome told = checked(last_bit, {7, 3});
  CHECK(told.verdict == Verdict::pass);
  CHECK(told.measurement("differing_runs") == 1);
  OperationCheckOptions options;
  options.require_determinism = true;
  CHECK(checked(last_bit, {7, 3}, options).verdict == Verdict::fail);
}

TEST_CASE("an input that a kernel modified does not spoil the reference") {
  const Outcome outcome = checked_with([](const OperandArray& operands) { operands[Axpy::x].store(0, 77); });
  CHECK(outcome.reason == "input x was modified");
  CHECK(outcome.measurement(measurement::violations) == 0);
}

TEST_CASE("a chosen tolerance is used, and told") {
  OperationCheckOptions options;
  options.tolerance = tolerance_named("atol=2000").value();
  const Outcome outcome = checked(
      [](const OperandArray& operands, int) -> Result<void> {
        operands[Axpy::y].store(17, 1000);
        return {};
      },
      {7, 1}, options);
  CHECK(outcome.verdict == Verdict::pass);
  CHECK(outcome.derivation.back().find("2000") != std::string::npos);
}

TEST_CASE("a kernel on a device, where work comes late, is checked there") {
  EmulatedDevice device;
  OperationSubject<Softmax> subject = portable_operation_subject<Softmax>(device);
  SoftmaxProblem problem;
  problem.outer = 5;
  problem.length = 70;
  const Outcome right = check_operation<Softmax>(device, subject, problem, FillKind::normal, {}, {7, 3});
  INFO(right.reason);
  CHECK(right.verdict == Verdict::pass);
  CHECK(right.measurement(measurement::elements) == 350);
  CHECK(right.measurement("differing_runs") == 0);
  subject.run = [&](const SoftmaxProblem& of, const OperandArray& operands) -> Result<void> {
    auto stream = device.make_stream().value();
    if (auto run = Softmax::portable(device, stream, of, operands); !run) return run;
    if (auto run = device.parallel_for(stream, 1, StoreTwo{operands[Softmax::output]}); !run) return run;
    return device.synchronize(stream);
  };
  const Outcome wrong = check_operation<Softmax>(device, subject, problem, FillKind::normal, {}, {7, 1});
  CHECK(wrong.verdict == Verdict::fail);
  CHECK(wrong.measurement(measurement::violations) == 1);
  CHECK(device.misuses().empty());
}

TEST_CASE("what an operation judges itself is judged in copies of a device's memory, before and after the launch") {
  struct Judged : Axpy {
    static bool judges(const Problem&, int output) { return output == 0; }
    static bool judge(const Problem& problem, const OperandArray& after, const OperandArray& before, int output,
                      const Arithmetic&, Outcome& outcome) {
      CHECK(output == 0);
      outcome.verdict = Verdict::pass;
      for (Index i = 0; i < problem.rows * problem.columns; ++i)
        if (after[y].load(i) != static_cast<float>(before[y].load(i)) +
                                    static_cast<float>(problem.scale) * static_cast<float>(after[x].load(i)))
          outcome.verdict = Verdict::fail;
      return true;
    }
  };
  EmulatedDevice device;
  Index missed = -1;
  OperationSubject<Judged> subject;
  subject.run = [&](const AxpyProblem& problem, const OperandArray& operands) -> Result<void> {
    auto stream = device.make_stream().value();
    if (auto run =
            device.parallel_for(stream, static_cast<std::size_t>(problem.rows), AxpyRow{problem, operands, missed});
        !run)
      return run;
    return device.synchronize(stream);
  };
  OperationCheckOptions options;
  options.storage = {3, 1};
  const Outcome right = check_operation<Judged>(device, subject, {}, FillKind::exact_integer, options, {7, 1});
  INFO(right.reason);
  CHECK(right.verdict == Verdict::pass);
  REQUIRE_FALSE(right.derivation.empty());
  CHECK(right.derivation.back() == "judged on the host, to which all operands were copied from emulated");
  missed = 17;
  CHECK(check_operation<Judged>(device, subject, {}, FillKind::exact_integer, options, {7, 1}).verdict ==
        Verdict::fail);
  CHECK(device.misuses().empty());
}

TEST_CASE("whichever call of a device fails during the check of an operation, the outcome is an error") {
  SoftmaxProblem problem;
  problem.outer = 5;
  problem.length = 70;
  testing::require_error_whichever_call_fails([&](EmulatedDevice& device) {
    return check_operation<Softmax>(device, portable_operation_subject<Softmax>(device), problem, FillKind::normal, {},
                                    {7, 2});
  });
}
