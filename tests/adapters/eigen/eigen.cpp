#include "assay/adapters/eigen/eigen.hpp"

#include "testing/catch.hpp"

static_assert(assay::ParallelBackend<assay::EigenLibrary>);

TEST_CASE("Eigen gives its name, its version and the instruction sets that it was compiled for") {
  CHECK(assay::EigenLibrary(1).name() == "eigen");
  CHECK_THAT(assay::EigenLibrary::version(),
             assay::testing::matches("[0-9]+\\.[0-9]+\\.[0-9]+, compiled for .+, [0-9]+ threads"));
}
