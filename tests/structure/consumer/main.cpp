#include <cstdio>

#include "assay/core/version.hpp"
#include "assay/formats/format_traits.hpp"

int main() {
  std::printf("assay %s\n", assay::version);
  return assay::round_to<assay::bfloat16>(1.001) == 1.0 ? 0 : 1;
}
