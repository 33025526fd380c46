#include "assay/backends/kokkos_runtime.hpp"

#include "testing/catch.hpp"

TEST_CASE("a runtime made while Kokkos is initialized owns nothing", "[backends]") {
  REQUIRE(Kokkos::is_initialized());
  {
    const assay::KokkosRuntime runtime;
    CHECK_FALSE(runtime.is_owner());
  }
  CHECK(Kokkos::is_initialized());
}
