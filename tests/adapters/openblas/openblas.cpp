#include "assay/adapters/openblas/openblas.hpp"

#include "testing/catch.hpp"

static_assert(assay::ParallelBackend<assay::OpenBlas>);

TEST_CASE("OpenBLAS gives its name, and the version and kernels that run") {
  CHECK(assay::OpenBlas(1).name() == "openblas");
  CHECK_THAT(assay::OpenBlas::version(),
             assay::testing::matches("[0-9]+\\.[0-9]+.*, kernels for [A-Za-z0-9_ -]+, [0-9]+ threads"));
}
