#pragma once

#include <concepts>
#include <type_traits>

#include "assay/backends/host.hpp"

namespace assay::inline v0 {

/// Whether memory, copies, streams, events and loops of a backend are the host's own: it is `Host`, or derives from it
/// and hides none of these members. References and comparisons treat such a worker as a `Host`, so that they are
/// compiled once for all of them. What it adds (`run`) or calls itself (`name`) does not matter to them.
template <class B>
inline constexpr bool works_as_host = std::is_same_v<B, Host>;

namespace detail {
/// A pointer to an inherited member tells of the base whose member it is.
template <class B>
inline constexpr bool hides_nothing_of_host = requires {
  requires std::is_same_v<typename B::Stream, Host::Stream> && std::is_same_v<typename B::Event, Host::Event>;
  requires std::is_same_v<typename B::template Buffer<float>, Host::Buffer<float>>;
  requires std::is_same_v<decltype(&B::memory_resource), decltype(&Host::memory_resource)>;
  requires std::is_same_v<decltype(&B::capabilities), decltype(&Host::capabilities)>;
  requires std::is_same_v<decltype(&B::template allocate<float>), decltype(&Host::allocate<float>)>;
  requires std::is_same_v<decltype(&B::make_stream), decltype(&Host::make_stream)>;
  requires std::is_same_v<decltype(&B::make_event), decltype(&Host::make_event)>;
  requires std::is_same_v<decltype(&B::template copy_to_device<float>), decltype(&Host::copy_to_device<float>)>;
  requires std::is_same_v<decltype(&B::template copy_to_host<float>), decltype(&Host::copy_to_host<float>)>;
  requires std::is_same_v<decltype(&B::record), decltype(&Host::record)>;
  requires std::is_same_v<decltype(&B::wait), decltype(&Host::wait)>;
  requires std::is_same_v<decltype(&B::elapsed_seconds), decltype(&Host::elapsed_seconds)>;
  requires std::is_same_v<decltype(&B::synchronize), decltype(&Host::synchronize)>;
  requires std::is_same_v<decltype(&B::template parallel_for<IndexedWork>), decltype(&Host::parallel_for<IndexedWork>)>;
  requires std::is_same_v<decltype(&B::template parallel_blocks<IndexedWork>),
                          decltype(&Host::parallel_blocks<IndexedWork>)>;
  requires& B::runs_on_host == &Host::runs_on_host;
};
}  // namespace detail

template <class B>
requires std::derived_from<B, Host>
inline constexpr bool works_as_host<B> = std::is_same_v<B, Host> || detail::hides_nothing_of_host<B>;

}  // namespace assay::inline v0
