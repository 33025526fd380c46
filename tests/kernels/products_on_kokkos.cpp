// components: kokkos
#include "assay/backends/kokkos.hpp"
#include "assay/kernels.hpp"
#include "kernels/computed_elsewhere.hpp"

using namespace assay;

TEST_CASE("operations made of products on Kokkos have the host's references and results, bit by bit") {
  const KokkosBackend<Kokkos::DefaultHostExecutionSpace> kokkos;
  testing::require_computes_as_the_host<Linear>(kokkos);
  testing::require_computes_as_the_host<Convolution>(kokkos);
  testing::require_computes_as_the_host<Attention>(kokkos);
  testing::require_computes_as_the_host<AttentionMerge>(kokkos);
  testing::require_computes_as_the_host<AttentionBackward>(kokkos);
}
