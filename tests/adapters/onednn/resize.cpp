#include "assay/adapters/onednn/resize.hpp"

#include "adapters/onednn/bf16_instructions.hpp"
#include "testing/operation_conformance.hpp"

using namespace assay;

TEST_CASE("oneDNN's resampling is right, or refused with the reason") {
  testing::require_right_but_known(
      testing::suite_of(operation_subject<Resize>(OneDnn(1)), {element_format<float32>(), element_format<bfloat16>()}),
      31, testing::flushed_by_bf16_instructions);
}
