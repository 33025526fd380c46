#ifdef ASSAY_TEST_WITH_KOKKOS
#include <Kokkos_Core.hpp>
#endif

// Of the address sanitizer: what libraries keep until the process ends is no leak of ours. Those that are unloaded
// before it looks it could not tell from ours.
#ifdef ASSAY_TEST_UNLOADS_LIBRARIES
extern "C" int __lsan_is_turned_off() {
  return 1;
}
#else
extern "C" const char* __lsan_default_suppressions() {
  return "leak:libcublasLt.so\n";
}
#endif

int run_tests(int argc, char** argv);

int main(int argc, char** argv) {
#ifdef ASSAY_TEST_WITH_KOKKOS
  const Kokkos::ScopeGuard kokkos(argc, argv);
#endif
  return run_tests(argc, argv);
}
