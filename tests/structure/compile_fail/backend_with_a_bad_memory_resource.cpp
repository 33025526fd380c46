// expect: requires MemoryResource<|MemoryResource<.*evaluated to false
#define WITHOUT_DEALLOCATE
#include "compile_fail/backend_parts.hpp"

void check(Parts& parts) {
  use_backend(parts);
}
