#include "assay/adapters/onednn/normalization.hpp"

#include "testing/operation_conformance.hpp"

using namespace assay;

namespace {

/// All but layer normalizations of rows with gaps, see the adapter.
template <Operation Op>
void require_right(std::size_t passes) {
  Suite suite = testing::suite_of(operation_subject<Op>(OneDnn(1)), {element_format<float32>()});
  std::erase_if(suite, [](const Case& entry) {
    return entry.id.rfind("layernorm", 0) == 0 && testing::has(entry.id, "/padded");
  });
  testing::require_right(suite, passes);
}

}  // namespace

TEST_CASE("oneDNN's normalizations in float32 are right, or refused with the reason") {
  require_right<Normalization>(71);
}

TEST_CASE("oneDNN's gradients of normalizations in float32 are right, or refused with the reason") {
  require_right<NormalizationBackward>(23);
}

TEST_CASE("oneDNN is asked for no normalization that it has not") {
  OneDnn backend(1);
  auto stream = backend.make_stream();
  NormalizationProblem problem;
  const auto refusal = [&] {
    const auto run = kernel<OneDnn, Normalization>::run(backend, stream.value(), problem, OperandArray{});
    REQUIRE_FALSE(run);
    CHECK(run.error().kind == ErrorKind::unsupported);
    return run.error().message;
  };
  SECTION("kind") {
    problem.kind = NormalizationKind::rms;
    CHECK(refusal().find("rmsnorm") != std::string::npos);
  }
  SECTION("statistics") {
    problem.saved = SavedStatistics::inverse_deviation;
    CHECK(refusal().find("variances") != std::string::npos);
  }
  SECTION("parameters") {
    problem.parameters = element_format<bfloat16>();
    CHECK(refusal().find("bf16") != std::string::npos);
  }
  SECTION("nothing") {
    problem.outer = 0;
    CHECK(refusal().find("without elements") != std::string::npos);
  }
}
