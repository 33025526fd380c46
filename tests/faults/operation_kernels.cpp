#include "assay/faults/operation_kernels.hpp"

#include <catch2/catch.hpp>
#include <string>

#include "testing/axpy.hpp"

using assay::testing::Axpy;

namespace assay {

template <>
struct OperationFaults<Axpy> {
  static std::vector<Fault> faults() { return {{"scale_forgotten", FaultClass::missing_work, "adds x", {"axpy"}}}; }
  static OperationSubject<Axpy> faulty(std::string_view) {
    return host_subject<Axpy>("scale_forgotten", [](const Axpy::Problem& problem, const OperandArray& operands) {
      Axpy::Problem own = problem;
      own.scale = 1;
      Host host(1);
      (void)portable_operation_subject<Axpy>(host).run(own, operands);
    });
  }
  static std::vector<OperationSubject<Axpy>> correct() { return {portable_operation_subject<Axpy>(Host(1))}; }
};

}  // namespace assay

using namespace assay;

TEST_CASE("the kernels of an operation are its right ones, its own faults and the common ones") {
  FaultCorpus corpus;
  add_operation_kernels<Axpy>(corpus, Host(1));
  REQUIRE(corpus.kernels().size() == 2 + common_operation_faults().size());
  CHECK_FALSE(corpus.kernels()[0].fault);
  CHECK(corpus.kernels()[0].formats == std::vector<std::string>{"f32", "bf16", "f16"});
  for (const CorpusKernel& kernel : corpus.kernels()) {
    INFO(kernel.id());
    CHECK(kernel.operation == "axpy");
    if (kernel.name == "scale_forgotten" || kernel.name == "flipped_bit" || !kernel.fault)
      CHECK(validate(kernel).as_it_should());
    if (kernel.name == "order_of_chance") CHECK((kernel.launches == 2 && validate(kernel).accused));
  }
}

TEST_CASE("launches are observed with what is right of them") {
  FaultCorpus corpus;
  add_operation_kernels<Axpy>(corpus, Host(1));
  const auto beyond = [](const ObservedLaunch& launch) {
    CHECK(launch.labels.at("operation") == "axpy");
    REQUIRE(launch.outputs.size() == 2);
    CHECK((launch.outputs[0].name == "y" && launch.outputs[1].format == element_format<std::int32_t>()));
    for (const LaunchOutput& output : launch.outputs) {
      REQUIRE((output.computed.size() == output.expected.size() &&
               static_cast<Index>(output.computed.size()) == output.rows * output.columns));
      for (std::size_t i = 0; i < output.computed.size(); ++i) {
        const double a = output.computed[i], e = output.format.round(output.expected[i].value);
        if (is_finite(e) && !(std::abs(a - e) <= 0.01 * std::abs(e) + 0.01)) return true;
      }
    }
    return !launch.memory_findings.empty();
  };
  for (const CorpusKernel& kernel : corpus.kernels())
    if (!kernel.fault || kernel.name == "scale_forgotten" || kernel.name == "overrun") {
      const auto verdict = validate(kernel, beyond);
      REQUIRE(verdict);
      INFO(kernel.id());
      CHECK(verdict.value().as_it_should());
    }
}

TEST_CASE(
    "an entry of the corpus has the formats that it is given, and has its failures diagnosed by whom it is told") {
  OperationSuiteOptions options;
  options.formats = {element_format<bfloat16>()};
  options.check.diagnosis.by = [](const DiagnosedCase&, const DiagnosisOptions&) {
    return std::vector<Diagnosis>{
        {FaultClass::missing_work, "scale_forgotten", Confidence::likely, {"by a rule of one's own"}, {}}};
  };
  const CorpusKernel kernel = corpus_kernel<Axpy>(Host(1), OperationFaults<Axpy>::faulty("scale_forgotten"),
                                                  OperationFaults<Axpy>::faults().front(), options);
  CHECK(kernel.id() == "axpy/bf16/scale_forgotten");
  std::size_t failed = 0;
  for (const Case& entry : kernel.suite()) {
    CHECK(entry.labels.at("formats") == "bf16");
    const Outcome outcome = entry.run({1, 1});
    if (outcome.verdict != Verdict::fail) continue;
    ++failed;
    CHECK(outcome.diagnosis.front() == "likely: missing_work, scale_forgotten: by a rule of one's own");
  }
  CHECK(failed > 0);
  REQUIRE(kernel.observe({}, [](const ObservedLaunch& launch) {
    CHECK(launch.labels.at("formats") == "bf16");
    return false;
  }));
}
