#include "assay/adapters/onednn/pooling.hpp"

#include <string>

#include "testing/operation_conformance.hpp"

using namespace assay;

// Up to 2.6.3 at least, its maxima start at the lowest finite number and take what is larger: NaN is passed over, and a window of
// nothing but NaN or minus infinity gives that number.
TEST_CASE("oneDNN's pooling is right but for maxima over NaN or nothing but minus infinity, or refused with the reason") {
  testing::require_right_but_known(testing::suite_of(operation_subject<Pooling>(OneDnn(1)), {element_format<float32>(), element_format<bfloat16>()}), 121, [](const std::string& id) {
    return testing::has(id, "/max-") && (testing::has(id, "/special") || testing::has(id, "/one_hot"));
  });
}
