#pragma once

#include "assay/backends/detail/kokkos_compatibility.hpp"
#include "assay/core/misuse.hpp"

namespace assay::inline v0 {

/// Initializes Kokkos for its lifetime, unless somebody else has: then it does nothing. It must outlive every buffer
/// and backend, and Kokkos can be initialized once in a program: keep one in main. Misuse: Kokkos was already finalized
/// (where the version tells).
class KokkosRuntime {
 public:
  /// `threads` 0: what the environment says (OMP_NUM_THREADS, KOKKOS_NUM_THREADS), else every core.
  explicit KokkosRuntime(int threads = 0) : owner_(!Kokkos::is_initialized()) {
    if (!owner_) return;
    expect(!detail::kokkos_is_finalized(), [] {
      return std::string(
          "KokkosRuntime was made after Kokkos had been finalized, which cannot be undone; keep one in main");
    });
    detail::initialize_kokkos(threads);
  }
  ~KokkosRuntime() {
    if (owner_) Kokkos::finalize();
  }
  KokkosRuntime(const KokkosRuntime&) = delete;
  KokkosRuntime& operator=(const KokkosRuntime&) = delete;

  /// Whether this object initialized Kokkos, and will finalize it.
  [[nodiscard]] bool is_owner() const noexcept { return owner_; }

 private:
  bool owner_;
};

}  // namespace assay::inline v0
