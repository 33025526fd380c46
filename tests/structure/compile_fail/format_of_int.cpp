// expect: FormatTraits<int>
#include "assay/formats/format_traits.hpp"

template <assay::Format T>
void use_format(T);

void check() {
  use_format(1);
}
