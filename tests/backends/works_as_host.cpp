#include "assay/backends/works_as_host.hpp"

#include "testing/catch.hpp"

using namespace assay;

namespace {

/// What a backend of one's own usually is: a name, and a kernel.
struct Named : Host {
  std::string_view name() const { return "named"; }
  Result<void> run() const { return {}; }
};
struct Further : Named {};

struct WithMemoryOfItsOwn : Host {
  template <class T>
  Result<Buffer<T>> allocate(std::size_t count) const {
    return Host::allocate<T>(count);
  }
};
struct WithLoopsOfItsOwn : Host {
  template <class Functor>
  Result<void> parallel_for(Stream& stream, std::size_t count, const Functor& functor) const {
    return Host::parallel_for(stream, count, functor);
  }
};
struct WithCopiesOfItsOwn : Host {
  template <class T>
  Result<void> copy_to_host(Stream& stream, T* destination, const T* source, std::size_t count) const {
    return Host::copy_to_host(stream, destination, source, count);
  }
};
struct WithWaitingOfItsOwn : Host {
  Result<void> synchronize(Stream&) const { return {}; }
};
struct WithTwoWaysToWait : Host {
  using Host::synchronize;
  Result<void> synchronize() const { return {}; }
};
struct WithStreamsOfItsOwn : Host {
  struct Stream {};
};
struct ActsAsDevice : Host {
  static constexpr bool runs_on_host = false;
};
struct Other {};

}  // namespace

TEST_CASE("what derives from the host and hides none of its memory and loops works as the host") {
  STATIC_REQUIRE(works_as_host<Host>);
  STATIC_REQUIRE(works_as_host<Named>);
  STATIC_REQUIRE(works_as_host<Further>);
}

TEST_CASE("what hides memory, copies, streams, waiting or loops of the host does not work as it") {
  STATIC_REQUIRE_FALSE(works_as_host<WithMemoryOfItsOwn>);
  STATIC_REQUIRE_FALSE(works_as_host<WithLoopsOfItsOwn>);
  STATIC_REQUIRE_FALSE(works_as_host<WithCopiesOfItsOwn>);
  STATIC_REQUIRE_FALSE(works_as_host<WithWaitingOfItsOwn>);
  STATIC_REQUIRE_FALSE(works_as_host<WithTwoWaysToWait>);
  STATIC_REQUIRE_FALSE(works_as_host<WithStreamsOfItsOwn>);
  STATIC_REQUIRE_FALSE(works_as_host<ActsAsDevice>);
  STATIC_REQUIRE_FALSE(works_as_host<Other>);
}
