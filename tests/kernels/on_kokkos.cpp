// components: kokkos
#include "assay/backends/kokkos.hpp"
#include "assay/kernels.hpp"
#include "kernels/computed_elsewhere.hpp"

using namespace assay;

namespace {
template <class... Ops>
void require_kokkos_computes_as_the_host(Operations<Ops...>) {
  (testing::require_computes_as_the_host<Ops>(KokkosBackend<Kokkos::DefaultHostExecutionSpace>()), ...);
}
}  // namespace

TEST_CASE("operations on Kokkos have the host's references and results, bit by bit") {
  require_kokkos_computes_as_the_host(AllOperations());
}
