#include "assay/faults/emulated_quantize.hpp"

#include <string>

#include "testing/catch.hpp"
#include "validators/quantize_checks.hpp"

using namespace assay;
using namespace assay::testing;

namespace {

template <Format Input>
void never_accused(const BlockScaling& scheme, Index rows, Index columns, std::uint64_t seed) {
  for (QuantizeVariant variant : all_quantize_variants)
    for (QuantizeFillKind fill : all_quantize_fills) {
      if (!fits(fill, scheme)) continue;
      const Outcome outcome = quantize_outcome(emulated_quantize_subject<Input>(variant),
                                               quantize_problem(scheme, rows, columns), fill, seed);
      INFO(FormatTraits<Input>::name() << ' ' << scheme.name << ' ' << name_of(variant) << ' ' << name_of(fill) << ": "
                                       << all_said(outcome));
      CHECK(outcome.verdict == Verdict::pass);
    }
}

}  // namespace

TEST_CASE("kernels that divide, multiply by the reciprocal, or search are not accused") {
  for (const BlockScaling& scheme : all_block_schemes) {
    never_accused<float32>(scheme, 9, 150, 1);
    never_accused<bfloat16>(scheme, 7, 70, 2);
    never_accused<float16>(scheme, 5, 130, 3);
    if (scheme.scale.bits == 8 && scheme.rule != ScaleRule::given)
      never_accused<float32>(scheme.in_order(ScaleOrder::tiles_128x4), 130, 20, 4);
  }
}

TEST_CASE("dequantizers that multiply in either order, or in double, are not accused") {
  for (const BlockScaling& scheme : all_block_schemes)
    for (QuantizeVariant variant : all_quantize_variants)
      for (DequantizeFillKind fill : all_dequantize_fills) {
        const QuantizeProblem problem = quantize_problem(scheme, 19, 150);
        INFO(scheme.name << ' ' << name_of(variant) << ' ' << name_of(fill));
        const Outcome wide = dequantize_outcome(emulated_dequantize_subject<float32>(variant), problem, fill),
                      narrow = dequantize_outcome(emulated_dequantize_subject<bfloat16>(variant), problem, fill);
        INFO(all_said(wide) << '\n' << all_said(narrow));
        CHECK(wide.verdict == Verdict::pass);
        CHECK(narrow.verdict == Verdict::pass);
      }
}

TEST_CASE("a least scale and a least amax are kept, and missed where they are not") {
  BlockScaling scheme = nvfp4(), floored = fp8_1x128();
  scheme.least_scale = 0x1p-6;
  floored.least_amax = 0.5;
  for (const BlockScaling& variant : {scheme, floored}) {
    never_accused<float32>(variant, 33, 260, 5);
    QuantizeSubject<Quantize<float32>> plain = emulated_quantize_subject<float32>(QuantizeVariant::divide);
    plain.run = [inner = plain.run](const QuantizeProblem& problem, const QuantizeArguments<float32>& arguments) {
      QuantizeProblem other = problem;
      other.scheme.least_scale = other.scheme.least_amax = 0;
      return inner(other, arguments);
    };
    CHECK(quantize_outcome(plain, quantize_problem(variant, 33, 260), QuantizeFillKind::normal).verdict ==
          Verdict::fail);
    CHECK(quantize_outcome(portable_quantize_subject<float32>(quantize_worker()), quantize_problem(variant, 33, 260),
                           QuantizeFillKind::normal)
              .verdict == Verdict::pass);
  }
}

TEST_CASE("another rule of the exponent is a fault, unless the scheme admits it") {
  BlockScaling covering = mxfp4();
  covering.rule = ScaleRule::exponent_covering;
  QuantizeSubject<Quantize<float32>> subject = emulated_quantize_subject<float32>(QuantizeVariant::divide);
  subject.run = [covering, inner = subject.run](const QuantizeProblem& problem,
                                                const QuantizeArguments<float32>& arguments) {
    QuantizeProblem other = problem;
    other.scheme.rule = covering.rule;
    return inner(other, arguments);
  };
  const QuantizeProblem strict = quantize_problem(mxfp4(), 33, 330),
                        lenient = quantize_problem(mxfp4().admitting(ScaleRule::exponent_covering), 33, 330);
  CHECK(quantize_outcome(subject, strict, QuantizeFillKind::normal).verdict == Verdict::fail);
  for (QuantizeFillKind fill : all_quantize_fills) {
    const Outcome outcome = quantize_outcome(subject, lenient, fill);
    INFO(name_of(fill) << all_said(outcome));
    CHECK(outcome.verdict == Verdict::pass);
  }
}

TEST_CASE("emulated subjects tell their names; an unknown fault is misuse") {
  CHECK(emulated_quantize_subject<float32>(QuantizeVariant::search).name == "emulated-search");
  CHECK(emulated_quantize_subject<float32>(QuantizeVariant::search, "half_away").name == "faulty-half_away");
  CHECK_THROWS_WITH(emulated_quantize_subject<float32>(QuantizeVariant::divide, "half_awy"), contains("half_away"));
  CHECK_THROWS_WITH(emulated_dequantize_subject<float32>(QuantizeVariant::divide, "half_away"), contains("half_away"));
}
