#include "assay/faults/quantize_kernels.hpp"

#include <catch2/catch.hpp>
#include <string>

using namespace assay;

TEST_CASE("quantizers and dequantizers have right variants and the faults that fit them; a sample is caught") {
  FaultCorpus corpus;
  add_quantize_kernels(corpus, Host(1));
  std::size_t right = 0, faulty = 0;
  for (const CorpusKernel& kernel : corpus.kernels()) {
    (kernel.fault ? faulty : right) += 1;
    if (kernel.fault) CHECK(kernel.fault->fits(kernel.operation));
    CHECK_FALSE(kernel.observe);
    if (kernel.name != "half_away" && kernel.name != "nibble_order") continue;
    const CorpusVerdict verdict = validate(kernel);
    INFO(kernel.id() << ": " << verdict.reason);
    CHECK(verdict.as_it_should());
  }
  CHECK(right == 6);
  CHECK(faulty >= 25);
}
