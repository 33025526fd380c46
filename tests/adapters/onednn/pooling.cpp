#include "assay/adapters/onednn/pooling.hpp"

#include <string>

#include "adapters/onednn/bf16_instructions.hpp"
#include "testing/operation_conformance.hpp"

using namespace assay;

// Up to 2.6.3 at least, its maxima start at the lowest finite number and take what is larger: NaN is passed over, and a
// window of nothing but NaN or minus infinity gives that number. In bf16, which it has on processors with AVX-512 only,
// gradients of averages over windows that overlap are added up in bf16 where images are not dense and channels first.
TEST_CASE(
    "oneDNN's pooling is right but for maxima over NaN or nothing but minus infinity, or refused with the reason") {
  testing::require_right_but_known(
      testing::suite_of(operation_subject<Pooling>(OneDnn(1)), {element_format<float32>(), element_format<bfloat16>()}),
      121, [](const std::string& id) {
        const bool added_in_bf16 = testing::has(id, "pooling_backward/") && testing::has(id, "bf16") &&
                                   testing::has(id, "/avg-") &&
                                   (testing::has(id, "channels_last") || testing::has(id, "/padded"));
        return testing::flushed_by_bf16_instructions(id) || added_in_bf16 ||
               (testing::has(id, "/max-") && (testing::has(id, "/special") || testing::has(id, "/one_hot")));
      });
}
