// Catch2 version 2 is header-only: its implementation is compiled here, once for all test programs. Version 3 is a library.
#if !__has_include(<catch2/catch_all.hpp>)
#define CATCH_CONFIG_RUNNER
#include <catch2/catch.hpp>
#endif
