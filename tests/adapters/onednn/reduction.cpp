#include "assay/adapters/onednn/reduction.hpp"

#include <string>

#include "adapters/onednn/bf16_instructions.hpp"
#include "testing/operation_conformance.hpp"

using namespace assay;

// Up to 2.6.3 at least, whether a maximum or minimum is NaN depends on where the NaN stands among the other elements.
TEST_CASE("oneDNN's reductions are right but for maxima and minima over NaN, or refused with the reason") {
  testing::require_right_but_known(testing::suite_of(operation_subject<Reduction>(OneDnn(1)),
                                                     {element_format<float32>(), element_format<bfloat16>()}),
                                   61, [](const std::string& id) {
                                     return testing::flushed_by_bf16_instructions(id) ||
                                            (testing::has(id, "imum/") && testing::has(id, "/special"));
                                   });
}
