#include "assay/validators/quantise_subject.hpp"

#include <string>

#include "testing/catch.hpp"
#include "validators/quantise_checks.hpp"

using namespace assay;
using namespace assay::testing;

namespace {

/// A backend with a quantiser of its own, found as a member.
struct Vendor : Host {
  [[nodiscard]] std::string_view name() const { return "vendor"; }
  Result<void> run(Quantise<float32>, Stream& stream, const QuantiseProblem& problem, const QuantiseArguments<float32>& arguments) {
    if (problem.scheme.zero_points) return failure(ErrorKind::unsupported, "no zero points here");
    return portable_quantise<float32>(*this, stream, problem, arguments);
  }
};

}  // namespace

TEST_CASE("a kernel of a backend's own is found, run and judged; what it refuses is unsupported") {
  const QuantiseSubject<Quantise<float32>> subject = quantise_subject<Quantise<float32>>(Vendor());
  CHECK(subject.name == "vendor");
  CHECK(quantise_outcome(subject, quantise_problem(mxfp4(), 5, 70), QuantiseFillKind::normal).verdict == Verdict::pass);
  const Outcome refused = quantise_outcome(subject, quantise_problem(uint8_tensor(), 5, 70), QuantiseFillKind::normal);
  CHECK(refused.verdict == Verdict::unsupported);
  CHECK(refused.reason == "no zero points here");
  CHECK(subject.arithmetic(quantise_problem(nvfp4(), 1, 1)).element_roundings == QuantiseArithmetic::usual(nvfp4()).element_roundings);
}

TEST_CASE("a backend without a kernel is unsupported, never a pass") {
  const Outcome outcome =
      dequantise_outcome(quantise_subject<Dequantise<float32>>(Host(1)), quantise_problem(mxfp4(), 5, 70), DequantiseFillKind::codes);
  CHECK(outcome.verdict == Verdict::unsupported);
  CHECK_THAT(outcome.reason, contains("no kernel for dequantise"));
}

TEST_CASE("the portable kernels have the name of their backend") {
  CHECK(portable_quantise_subject<float32>(Host(1)).name == "host");
  CHECK(portable_dequantise_subject<bfloat16>(Host(1)).name == "host");
}
