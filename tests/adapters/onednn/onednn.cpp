#include "assay/adapters/onednn/onednn.hpp"

#include "testing/catch.hpp"

static_assert(assay::ParallelBackend<assay::OneDnn>);

TEST_CASE("oneDNN gives its name, and the version and instruction set that run") {
  CHECK(assay::OneDnn(1).name() == "onednn");
  CHECK_THAT(assay::OneDnn::version(), assay::testing::matches("[0-9]+\\.[0-9]+\\.[0-9]+.*, kernels for [a-z0-9_ ]+"));
}
