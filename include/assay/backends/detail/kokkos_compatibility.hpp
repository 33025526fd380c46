#pragma once

#include <Kokkos_Core.hpp>

#include <string>
#include <type_traits>
#include <vector>

/// What differs between the Kokkos versions that we compile with: 3.4.01 and 4.x.

#if !defined(KOKKOS_VERSION) || KOKKOS_VERSION < 30401
#error "assay: Kokkos 3.4.01 or newer is required"
#endif

namespace assay::inline v0::detail {

template <class ExecutionSpace>
inline constexpr bool is_serial_space =
#if defined(KOKKOS_ENABLE_SERIAL)
    std::is_same_v<ExecutionSpace, Kokkos::Serial> ||
#endif
    false;

/// Whether functors run on the host, in threads that finish before parallel_for returns.
template <class ExecutionSpace>
inline constexpr bool is_blocking_host_space = is_serial_space<ExecutionSpace> ||
#if defined(KOKKOS_ENABLE_OPENMP)
                                               std::is_same_v<ExecutionSpace, Kokkos::OpenMP> ||
#endif
#if defined(KOKKOS_ENABLE_THREADS)
                                               std::is_same_v<ExecutionSpace, Kokkos::Threads> ||
#endif
                                               false;

/// Whether functors run on the host at all.
template <class ExecutionSpace>
inline constexpr bool is_host_space = is_blocking_host_space<ExecutionSpace> ||
#if defined(KOKKOS_ENABLE_HPX)
                                      std::is_same_v<ExecutionSpace, Kokkos::Experimental::HPX> ||
#endif
                                      false;

inline bool kokkos_is_finalized() {
#if KOKKOS_VERSION >= 40000
  return Kokkos::is_finalized();
#else
  return false;  // 3.4 does not tell
#endif
}

/// `threads` 0: Kokkos' own choice.
inline void initialize_kokkos(int threads) {
#if KOKKOS_VERSION >= 40000
  Kokkos::InitializationSettings settings;
  if (threads > 0) settings.set_num_threads(threads);
  Kokkos::initialize(settings);
#else
  Kokkos::InitArguments arguments;
  if (threads > 0) arguments.num_threads = threads;
  Kokkos::initialize(arguments);
#endif
}

/// An instance whose work is ordered by nobody else's, where the version offers them; else the default instance.
template <class ExecutionSpace>
ExecutionSpace independent_instance() {
#if KOKKOS_VERSION >= 40000
  using namespace Kokkos::Experimental;  // its home up to 4.x; argument-dependent lookup finds the later one
  return partition_space(ExecutionSpace(), 1).front();
#else
  return ExecutionSpace();
#endif
}

template <class ExecutionSpace>
void fence(const ExecutionSpace& space, [[maybe_unused]] const char* label) {
#if KOKKOS_VERSION >= 40000
  space.fence(label);
#else
  space.fence();
#endif
}

inline std::string kokkos_version() {
  return std::to_string(KOKKOS_VERSION / 10000) + "." + std::to_string(KOKKOS_VERSION / 100 % 100) + "." +
         std::to_string(KOKKOS_VERSION % 100);
}

}  // namespace assay::inline v0::detail
