// expect: resource\.deallocate\(pointer
#define WITHOUT_DEALLOCATE
#include "compile_fail/backend_parts.hpp"

void check(Parts::Resource& resource) {
  use_resource(resource);
}
