#include "assay/validators/device/launch_shape.hpp"

#include <vector>

#include "assay/backends/host.hpp"
#include "testing/catch.hpp"

using namespace assay;

namespace {
struct Count {
  int* times;
  ASSAY_FUNCTION void operator()(std::size_t i) const { ++times[i]; }
};
/// A backend that takes shapes itself.
struct Shaped : Host {
  using Host::Host;
  mutable LaunchShape taken{0, 0};
  using Host::parallel_for;
  template <class Functor>
  [[nodiscard]] Result<void> parallel_for(Stream& stream, std::size_t count, const Functor& functor, unsigned blocks,
                                          unsigned threads) const {
    taken = {blocks, threads};
    return Host::parallel_for(stream, count, functor);
  }
};
}  // namespace

TEST_CASE("every index is done once, whatever the shape", "[device]") {
  Host host(2);
  Host::Stream stream;
  for (const LaunchShape shape : {LaunchShape{1, 1}, LaunchShape{1, 32}, LaunchShape{3, 7}, LaunchShape{100, 256}})
    for (const std::size_t count : {0u, 1u, 20u, 21u, 22u, 1000u}) {
      std::vector<int> times(count + 1);
      REQUIRE(parallel_for_shaped(host, stream, count, Count{times.data()}, shape));
      CHECK(times == [&] {
        std::vector<int> once(count + 1, 1);
        once[count] = 0;
        return once;
      }());
    }
  CHECK(LaunchShape{108, 256}.text() == "108 × 256");
}

TEST_CASE("a backend that takes shapes is given them", "[device]") {
  Shaped shaped(1);
  Host::Stream stream;
  std::vector<int> times(10);
  REQUIRE(parallel_for_shaped(shaped, stream, 10, Count{times.data()}, {3, 96}));
  CHECK(shaped.taken.blocks == 3);
  CHECK(shaped.taken.threads == 96);
  CHECK(times == std::vector<int>(10, 1));
}
