// Outcomes of right and faulty kernels, a line each. Compiled twice, header-only and with assay::compiled: a test holds
// the lines equal.
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "assay/backends/host.hpp"
#include "assay/kernels/softmax/softmax.hpp"
#include "assay/suite/runner.hpp"
#include "assay/validators/gemm_suite.hpp"
#include "assay/validators/operation_suite.hpp"

using namespace assay;

namespace {

using Product = Gemm<bfloat16, bfloat16, float32, bfloat16>;

/// A backend of one's own, whose kernels are Assay's but for the first element of what they write.
struct Vendor : Host {
  std::string_view name() const { return "vendor"; }
};

GemmSubject<Product> faulty_product() {
  GemmSubject<Product> subject = portable_gemm_subject<Product>(Host(1));
  subject.name = "faulty";
  subject.run = [right = subject.run](const GemmProblem& problem, const Product::Arguments& arguments) -> Result<void> {
    if (auto done = right(problem, arguments); !done) return done;
    if (problem.m > 0 && problem.n > 0 && problem.batch > 0) arguments.c(0, 0, 0) = bfloat16(1e30F);
    return {};
  };
  return subject;
}

OperationSubject<Softmax> faulty_softmax() {
  OperationSubject<Softmax> subject = portable_operation_subject<Softmax>(Host(1));
  subject.name = "faulty";
  subject.run = [right = subject.run](const SoftmaxProblem& problem, const OperandArray& operands) -> Result<void> {
    if (auto done = right(problem, operands); !done) return done;
    const Operand& output = operands[operands.count - 1];
    if (output.size() > 0) output.store(0, 7);
    return {};
  };
  return subject;
}

void print(const Outcome& outcome) {
  std::printf("%s: %s: %s\n", outcome.id.c_str(), std::string(name_of(outcome.verdict)).c_str(),
              outcome.reason.c_str());
  for (const std::string& finding : outcome.diagnosis) std::printf("  %s\n", finding.c_str());
  for (const std::string& step : outcome.derivation) std::printf("  %s\n", step.c_str());
  for (const Measurement& measured : outcome.measurements)
    if (measured.unit != "s")
      std::printf("  %s %.17g %s\n", measured.name.c_str(), measured.value, measured.unit.c_str());
}

}  // namespace

int main() {
  GemmSuiteOptions products;
  products.shapes.resize(12);
  OperationSuiteOptions rows;
  rows.formats = {element_format<bfloat16>()};
  Suite suite;
  add_gemm_cases<Product>(suite, Vendor(), portable_gemm_subject<Product>(Vendor()), products);
  add_gemm_cases<Product>(suite, Vendor(), faulty_product(), products);
  add_operation_cases<Softmax>(suite, Vendor(), portable_operation_subject<Softmax>(Vendor()), rows);
  add_operation_cases<Softmax>(suite, Vendor(), faulty_softmax(), rows);
  for (const Case& entry : suite) {
    Outcome outcome = entry.run({1, 1});
    outcome.id = entry.id;
    print(outcome);
  }
}
