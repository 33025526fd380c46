#pragma once

#include <mpi.h>

#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

namespace assay::inline v0::detail {

/// Operations under way: what MPI has not finished, the memory that it uses besides the caller's, and what is left to
/// do then.
struct MpiWork {
  std::vector<MPI_Request> requests;
  std::vector<std::unique_ptr<std::byte[]>> staging;
  std::vector<std::function<void()>> at_end;

  [[nodiscard]] std::byte* stage(std::size_t bytes) {
    return staging.emplace_back(std::make_unique_for_overwrite<std::byte[]>(bytes > 0 ? bytes : 1)).get();
  }
};

}  // namespace assay::inline v0::detail
