#pragma once

#include <mpi.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <utility>

#include "assay/collectives/detail/mpi_support.hpp"
#include "assay/core/index.hpp"

namespace assay::inline v0::detail {

/// A block of any number of elements, as a count that MPI takes and a type: where there are more elements than counts
/// reach, one element of a type that has them all. Freed at once: MPI keeps it as long as operations need it.
class MpiBlock {
 public:
  /// Precondition: 1 ≤ `largest`, what a count may be.
  [[nodiscard]] static Result<MpiBlock> of(MPI_Datatype type, std::size_t bytes, Index count, Index largest) {
    MpiBlock block;
    block.type_ = type;
    block.count_ = static_cast<int>(std::min(count, largest));
    if (count <= largest) return block;
    const Index whole = count / largest, rest = count % largest;
    if (whole > largest)
      return failure(ErrorKind::unsupported,
                     "a block of " + std::to_string(count) + " elements has no MPI datatype; send fewer");
    MPI_Datatype piece = MPI_DATATYPE_NULL;
    if (auto made = check_mpi("MPI_Type_contiguous", MPI_Type_contiguous(static_cast<int>(largest), type, &piece));
        !made)
      return made.propagate();
    std::array<int, 2> counts{static_cast<int>(whole), static_cast<int>(rest)};
    std::array<MPI_Aint, 2> places{0, static_cast<MPI_Aint>(whole * largest) * static_cast<MPI_Aint>(bytes)};
    std::array<MPI_Datatype, 2> types{piece, type};
    auto made = check_mpi("MPI_Type_create_struct",
                          MPI_Type_create_struct(2, counts.data(), places.data(), types.data(), &block.type_));
    MPI_Type_free(&piece);
    if (!made) return made.propagate();
    block.owned_ = true;
    block.count_ = 1;
    if (auto committed = check_mpi("MPI_Type_commit", MPI_Type_commit(&block.type_)); !committed)
      return committed.propagate();
    return block;
  }
  MpiBlock(MpiBlock&& other) noexcept
      : type_(other.type_), count_(other.count_), owned_(std::exchange(other.owned_, false)) {}
  MpiBlock& operator=(MpiBlock&&) = delete;
  ~MpiBlock() {
    if (owned_) MPI_Type_free(&type_);
  }

  [[nodiscard]] MPI_Datatype type() const { return type_; }
  [[nodiscard]] int count() const { return count_; }

 private:
  MpiBlock() = default;

  MPI_Datatype type_ = MPI_DATATYPE_NULL;
  int count_ = 0;
  bool owned_ = false;
};

}  // namespace assay::inline v0::detail
