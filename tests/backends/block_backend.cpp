#include "assay/backends/block_backend.hpp"

#include <memory>

#include "assay/backends/emulated_device.hpp"
#include "assay/backends/host.hpp"
#include "backends/block_conformance.hpp"

using namespace assay;

static_assert(BlockBackend<Host>);
static_assert(BlockBackend<EmulatedDevice>);

namespace {

/// A backend without blocks, and one whose blocks say nothing of failures.
struct Plain : Host {
  using Host::Host;
  template <class Functor>
  void parallel_blocks(Stream&, std::size_t, const Functor&) const = delete;
};
struct Silent : Host {
  using Host::Host;
  template <class Functor>
  void parallel_blocks(Stream&, std::size_t, const Functor&) const {}
};
static_assert(ParallelBackend<Plain> && !BlockBackend<Plain>);
static_assert(ParallelBackend<Silent> && !BlockBackend<Silent>);

/// The host, whose threads of a block run the other way round.
struct Descending : Host {
  using Host::Host;
  template <class Functor>
  [[nodiscard]] Result<void> parallel_blocks(Stream& stream, std::size_t blocks, const Functor& functor) const {
    return Host::parallel_blocks(stream, blocks, functor, ThreadOrder::descending);
  }
};
static_assert(BlockBackend<Descending>);

}  // namespace

TEST_CASE("blocks on the host do what blocks do, in both orders of threads, on any number of threads", "[backends]") {
  const unsigned threads = GENERATE(1u, 3u);
  Host host(threads);
  testing::check_blocks(host);
  Descending descending(threads);
  testing::check_blocks(descending);
}

TEST_CASE("blocks on an emulated device do what blocks do, in both orders of threads", "[backends]") {
  EmulatedDeviceOptions options;
  options.order = GENERATE(ThreadOrder::ascending, ThreadOrder::descending);
  EmulatedDevice device(options);
  testing::check_blocks(device);
  CHECK(device.misuses().empty());
}
