#pragma once

#include <cstddef>

#include "assay/backends/host.hpp"

namespace assay::testing {

/// The host as a device's code sees one: references come by blocks, whose threads run in an order of the test's choice.
class BlockHost : public Host {
 public:
  static constexpr bool runs_on_host = false;

  explicit BlockHost(ThreadOrder order) : Host(2), order_(order) {}

  template <class Functor>
  [[nodiscard]] Result<void> parallel_blocks(Stream& stream, std::size_t blocks, const Functor& functor) const {
    return Host::parallel_blocks(stream, blocks, functor, order_);
  }

 private:
  ThreadOrder order_;
};

}  // namespace assay::testing
