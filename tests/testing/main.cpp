#ifdef ASSAY_TEST_WITH_KOKKOS
#include <Kokkos_Core.hpp>
#endif

int run_tests(int argc, char** argv);

int main(int argc, char** argv) {
#ifdef ASSAY_TEST_WITH_KOKKOS
  const Kokkos::ScopeGuard kokkos(argc, argv);
#endif
  return run_tests(argc, argv);
}
