// expect: success
#include "compile_fail/backend_parts.hpp"

void check(Parts& parts) {
  use_backend(parts);
  use_parallel_backend(parts);
  use_resource(parts.memory_resource());
}
