#include "assay/validators/quantize_subject.hpp"

#include <string>

#include "testing/catch.hpp"
#include "validators/quantize_checks.hpp"

using namespace assay;
using namespace assay::testing;

namespace {

/// A backend with a quantizer of its own, found as a member.
struct Vendor : Host {
  [[nodiscard]] std::string_view name() const { return "vendor"; }
  Result<void> run(Quantize<float32>, Stream& stream, const QuantizeProblem& problem,
                   const QuantizeArguments<float32>& arguments) {
    if (problem.scheme.zero_points) return failure(ErrorKind::unsupported, "no zero points here");
    return portable_quantize<float32>(*this, stream, problem, arguments);
  }
};

}  // namespace

TEST_CASE("a kernel of a backend's own is found, run and judged; what it refuses is unsupported") {
  const QuantizeSubject<Quantize<float32>> subject = quantize_subject<Quantize<float32>>(Vendor());
  CHECK(subject.name == "vendor");
  CHECK(quantize_outcome(subject, quantize_problem(mxfp4(), 5, 70), QuantizeFillKind::normal).verdict == Verdict::pass);
  const Outcome refused = quantize_outcome(subject, quantize_problem(uint8_tensor(), 5, 70), QuantizeFillKind::normal);
  CHECK(refused.verdict == Verdict::unsupported);
  CHECK(refused.reason == "no zero points here");
  CHECK(subject.arithmetic(quantize_problem(nvfp4(), 1, 1)).element_roundings ==
        QuantizeArithmetic::usual(nvfp4()).element_roundings);
}

TEST_CASE("a backend without a kernel is unsupported, never a pass") {
  const Outcome outcome = dequantize_outcome(quantize_subject<Dequantize<float32>>(Host(1)),
                                             quantize_problem(mxfp4(), 5, 70), DequantizeFillKind::codes);
  CHECK(outcome.verdict == Verdict::unsupported);
  CHECK_THAT(outcome.reason, contains("no kernel for dequantize"));
}

TEST_CASE("the portable kernels have the name of their backend") {
  CHECK(portable_quantize_subject<float32>(Host(1)).name == "host");
  CHECK(portable_dequantize_subject<bfloat16>(Host(1)).name == "host");
}
