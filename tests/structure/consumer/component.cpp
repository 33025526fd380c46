// The component brings its library's headers and its library.
#include LIBRARY_HEADER

#include "assay/core/version.hpp"

#if defined(EXPECT_FROM_CONAN) && !defined(FROM_CONAN)
#error "the component should bring Conan's library, not the machine's"
#endif

int main() {
  return assay::version[0] == '\0';
}
