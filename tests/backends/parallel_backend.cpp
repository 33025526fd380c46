#include "assay/backends/parallel_backend.hpp"

#include "assay/backends/host.hpp"
#include "testing/catch.hpp"

namespace {

struct SerialOnly : assay::Host {
  void parallel_for() const {}  // hides the host's
};
struct SilentLoops : assay::Host {
  template <class Functor>
  void parallel_for(Stream&, std::size_t, const Functor&) const {}
};

}  // namespace

TEST_CASE("a backend without loops that report failure is no parallel backend", "[backends]") {
  static_assert(assay::ParallelBackend<assay::Host>);
  static_assert(assay::Backend<SerialOnly> && !assay::ParallelBackend<SerialOnly>);
  static_assert(assay::Backend<SilentLoops> && !assay::ParallelBackend<SilentLoops>);
  static_assert(!assay::ParallelBackend<int>);
  SUCCEED("checked by the compiler");
}
