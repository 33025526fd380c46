#ifdef ASSAY_TEST_WITH_KOKKOS
#include <Kokkos_Core.hpp>
#endif

// Of the address sanitizer: what libraries keep until the process ends is no leak of ours. Those of MPI are unloaded before it looks, so
// that it could not tell whose it is.
#ifdef ASSAY_TEST_WITH_MPI
extern "C" int __lsan_is_turned_off() {
  return 1;
}
#else
extern "C" const char* __lsan_default_suppressions() {
  return "leak:libcublasLt.so\nleak:libcudnn\n";
}
#endif

int run_tests(int argc, char** argv);

int main(int argc, char** argv) {
#ifdef ASSAY_TEST_WITH_KOKKOS
  const Kokkos::ScopeGuard kokkos(argc, argv);
#endif
  return run_tests(argc, argv);
}
