// expect: backend\.parallel_for\(stream
#define WITHOUT_PARALLEL_FOR
#include "compile_fail/backend_parts.hpp"

void check(Parts& parts) {
  use_backend(parts);
  use_parallel_backend(parts);
}
