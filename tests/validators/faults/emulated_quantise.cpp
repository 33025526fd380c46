#include "assay/validators/faults/emulated_quantise.hpp"

#include <string>

#include "testing/catch.hpp"
#include "validators/quantise_checks.hpp"

using namespace assay;
using namespace assay::testing;

namespace {

template <Format Input>
void never_accused(const BlockScaling& scheme, Index rows, Index columns, std::uint64_t seed) {
  for (QuantiseVariant variant : all_quantise_variants)
    for (QuantiseFillKind fill : all_quantise_fills) {
      if (!fits(fill, scheme)) continue;
      const Outcome outcome =
          quantise_outcome(emulated_quantise_subject<Input>(variant), quantise_problem(scheme, rows, columns), fill, seed);
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

TEST_CASE("dequantisers that multiply in either order, or in double, are not accused") {
  for (const BlockScaling& scheme : all_block_schemes)
    for (QuantiseVariant variant : all_quantise_variants)
      for (DequantiseFillKind fill : all_dequantise_fills) {
        const QuantiseProblem problem = quantise_problem(scheme, 19, 150);
        INFO(scheme.name << ' ' << name_of(variant) << ' ' << name_of(fill));
        const Outcome wide = dequantise_outcome(emulated_dequantise_subject<float32>(variant), problem, fill),
                      narrow = dequantise_outcome(emulated_dequantise_subject<bfloat16>(variant), problem, fill);
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
    QuantiseSubject<Quantise<float32>> plain = emulated_quantise_subject<float32>(QuantiseVariant::divide);
    plain.run = [inner = plain.run](const QuantiseProblem& problem, const QuantiseArguments<float32>& arguments) {
      QuantiseProblem other = problem;
      other.scheme.least_scale = other.scheme.least_amax = 0;
      return inner(other, arguments);
    };
    CHECK(quantise_outcome(plain, quantise_problem(variant, 33, 260), QuantiseFillKind::normal).verdict == Verdict::fail);
    CHECK(quantise_outcome(portable_quantise_subject<float32>(quantise_worker()), quantise_problem(variant, 33, 260),
                           QuantiseFillKind::normal)
              .verdict == Verdict::pass);
  }
}

TEST_CASE("another rule of the exponent is a fault, unless the scheme admits it") {
  BlockScaling covering = mxfp4();
  covering.rule = ScaleRule::exponent_covering;
  QuantiseSubject<Quantise<float32>> subject = emulated_quantise_subject<float32>(QuantiseVariant::divide);
  subject.run = [covering, inner = subject.run](const QuantiseProblem& problem, const QuantiseArguments<float32>& arguments) {
    QuantiseProblem other = problem;
    other.scheme.rule = covering.rule;
    return inner(other, arguments);
  };
  const QuantiseProblem strict = quantise_problem(mxfp4(), 33, 330),
                        lenient = quantise_problem(mxfp4().admitting(ScaleRule::exponent_covering), 33, 330);
  CHECK(quantise_outcome(subject, strict, QuantiseFillKind::normal).verdict == Verdict::fail);
  for (QuantiseFillKind fill : all_quantise_fills) {
    const Outcome outcome = quantise_outcome(subject, lenient, fill);
    INFO(name_of(fill) << all_said(outcome));
    CHECK(outcome.verdict == Verdict::pass);
  }
}

TEST_CASE("emulated subjects tell their names; an unknown fault is misuse") {
  CHECK(emulated_quantise_subject<float32>(QuantiseVariant::search).name == "emulated-search");
  CHECK(emulated_quantise_subject<float32>(QuantiseVariant::search, "half_away").name == "faulty-half_away");
  CHECK_THROWS_WITH(emulated_quantise_subject<float32>(QuantiseVariant::divide, "half_awy"), contains("half_away"));
  CHECK_THROWS_WITH(emulated_dequantise_subject<float32>(QuantiseVariant::divide, "half_away"), contains("half_away"));
}
