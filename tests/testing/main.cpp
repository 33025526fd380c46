#if __has_include(<catch2/catch_session.hpp>)
#include <catch2/catch_session.hpp>
#else
#include <catch2/catch.hpp>
#endif

#ifdef ASSAY_TEST_WITH_KOKKOS
#include <Kokkos_Core.hpp>
#endif

int main(int argc, char** argv) {
#ifdef ASSAY_TEST_WITH_KOKKOS
  const Kokkos::ScopeGuard kokkos(argc, argv);
#endif
  return Catch::Session().run(argc, argv);
}
