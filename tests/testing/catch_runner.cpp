// Catch2 version 2 is header-only: its implementation is compiled here, once for all test programs. Version 3 is a
// library.
#if __has_include(<catch2/catch_session.hpp>)
#include <catch2/catch_session.hpp>
#else
#define CATCH_CONFIG_RUNNER
#include <catch2/catch.hpp>
#endif

int run_tests(int argc, char** argv) {
  return Catch::Session().run(argc, argv);
}
