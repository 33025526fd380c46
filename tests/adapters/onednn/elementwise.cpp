#include "assay/adapters/onednn/elementwise.hpp"

#include <string>

#include "adapters/onednn/bf16_instructions.hpp"
#include "testing/operation_conformance.hpp"

using namespace assay;

namespace {
using testing::has;

// What 2.6.3 does with AVX2 kernels (the names are those of cases):
// - exp gives infinity for NaN, and 0 below the smallest normal number, and so do logistic and swish;
// - log errs by up to 1.4e-6 absolutely: log 1 is not 0, log 2 is 12 ulp off; of subnormal numbers it gives about −88;
// - soft_relu is log(1 + e^x) in effect: of numbers below −10 nothing is left of it but 1e-6, of either sign;
// - relu, max and min make of NaN what the code path for a layout happens to make of it;
// - pow(x, −1/2) is not the reciprocal root of −0 and −infinity;
// - the gradient of tanh in bf16 (AVX-512 without bf16 instructions, rows with gaps) passes through infinity where it
//   is 0;
// - reorder to bf16 flushes subnormal numbers and rounds the last number before infinity in its own way.
bool known(const std::string& id) {
  if (testing::flushed_by_bf16_instructions(id) ||
      (has(id, "tanh_backward/") && has(id, "bf16") && has(id, "/extreme/padded")))
    return true;
  if (has(id, "log/") || has(id, "softplus/") || (has(id, "cast/") && has(id, "bf16"))) return true;
  for (const char* function : {"exp/", "sigmoid", "silu", "softplus_backward"})
    if (id.rfind(function, 0) == 0 && (has(id, "/special") || has(id, "/extreme"))) return true;
  return (id.rfind("relu", 0) == 0 || id.rfind("maximum", 0) == 0 || id.rfind("minimum", 0) == 0 ||
          id.rfind("rsqrt", 0) == 0) &&
         (has(id, "/special") || has(id, "/extreme"));
}
}  // namespace

TEST_CASE("oneDNN's elementwise functions are right but for what is known, or refused with the reason") {
  testing::require_right_but_known(testing::suite_of(operation_subject<Elementwise>(OneDnn(1)),
                                                     {element_format<float32>(), element_format<bfloat16>()}),
                                   151, known);
}
