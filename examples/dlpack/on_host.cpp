#include "assay/backends/host.hpp"
#include "checks.hpp"

namespace example {

assay::Outcome answer_on_host(Request& request) {
  static assay::Host host;  // calls from several threads share its own
  return answer(host, request);
}

}  // namespace example
