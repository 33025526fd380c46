// expect: backend\.synchronize\(stream\)
#define WITHOUT_SYNCHRONIZE
#include "compile_fail/backend_parts.hpp"

void check(Parts& parts) {
  use_backend(parts);
}
