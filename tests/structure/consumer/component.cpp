// The component brings its library's headers and its library.
#include LIBRARY_HEADER

#include "assay/core/version.hpp"

int main() {
  return assay::version[0] == '\0';
}
