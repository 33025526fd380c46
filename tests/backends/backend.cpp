#include "assay/backends/backend.hpp"

#include <string>

#include "assay/backends/host.hpp"
#include "testing/catch.hpp"

namespace {

struct Hidden : assay::Host {};

/// Each lacks one thing, or has it with another type.
struct WithoutName : assay::Host {
  void name() const {}
};
struct WithoutCapabilities : assay::Host {
  int capabilities() const { return 0; }
};
struct WithRawAllocation : assay::Host {
  template <class T>
  T* allocate(std::size_t) const {
    return nullptr;
  }
};
struct WithSilentCopies : assay::Host {
  template <class T>
  void copy_to_host(Stream&, T*, const T*, std::size_t) const {}
};
struct WithSilentSynchronization : assay::Host {
  void synchronize(Stream&) const {}
};
struct WithoutEvents : assay::Host {
  struct Event {};
};
struct Immovable : assay::Host {
  Immovable() = default;
  Immovable(const Immovable&) = delete;
  Immovable& operator=(const Immovable&) = delete;
};

}  // namespace

TEST_CASE("what does not keep a backend's promises is none", "[backends]") {
  static_assert(assay::Backend<assay::Host> && assay::Backend<Hidden>);
  static_assert(!assay::Backend<int> && !assay::Backend<std::string>);
  static_assert(!assay::Backend<WithoutName>);
  static_assert(!assay::Backend<WithoutCapabilities>);
  static_assert(!assay::Backend<WithRawAllocation>);
  static_assert(!assay::Backend<WithSilentCopies>);
  static_assert(!assay::Backend<WithSilentSynchronization>);
  static_assert(!assay::Backend<WithoutEvents>);
  static_assert(!assay::Backend<Immovable>);
  SUCCEED("checked by the compiler");
}
