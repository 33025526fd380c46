#include "assay/backends/kokkos.hpp"

#include "assay/core/floating_point_guard.hpp"
#include "backends/backend_conformance.hpp"

using assay::KokkosBackend;

using DefaultSpace = Kokkos::DefaultExecutionSpace;
using HostSpace = Kokkos::DefaultHostExecutionSpace;

static_assert(assay::ParallelBackend<KokkosBackend<>>);
static_assert(assay::ParallelBackend<KokkosBackend<HostSpace>>);

TEST_CASE("the default Kokkos backend is a backend", "[backends]") {
  KokkosBackend<DefaultSpace> backend;
  CHECK(backend.name() == "kokkos");
  CHECK_THAT(backend.capabilities().device, assay::testing::contains(DefaultSpace::name()));
  assay::testing::check_backend(backend);
}

TEST_CASE("the host's Kokkos backend is a backend", "[backends]") {
  KokkosBackend<HostSpace> backend;
  CHECK(backend.capabilities().host_accessible);
  CHECK(backend.capabilities().memory_bytes > 0);
  assay::testing::check_backend(backend);
}

#if defined(KOKKOS_ENABLE_SERIAL)
TEST_CASE("the serial Kokkos backend is a backend of one thread", "[backends]") {
  KokkosBackend<Kokkos::Serial> backend;
  CHECK(backend.capabilities().concurrency == 1);
  CHECK_FALSE(backend.capabilities().asynchronous);
  assay::testing::check_backend(backend);
}
#endif

TEST_CASE("functors on a Kokkos host backend run in the default floating-point environment", "[backends]") {
  KokkosBackend<HostSpace> backend;
  assay::FloatingPointState strange;
  strange.rounding = assay::RoundingDirection::upward;
  strange.flush_results = true;
  strange.flush_operands = true;
  const assay::FloatingPointState before = assay::FloatingPointState::current();
  {
    const assay::FloatingPointGuard guard(strange);
    const assay::FloatingPointState set = assay::FloatingPointState::current();
    assay::testing::check_environment_of_functors(backend);
    CHECK(assay::FloatingPointState::current() == set);
  }
  CHECK(assay::FloatingPointState::current() == before);
}
