#pragma once

#include <mpi.h>

#include <array>
#include <cstddef>
#include <string>

#include "assay/collectives/detail/mpi_support.hpp"
#include "assay/collectives/element_type.hpp"
#include "assay/collectives/in_process/reduce_elements.hpp"
#include "assay/collectives/reduction_operator.hpp"

namespace assay::inline v0::detail {

/// What MPI calls with elements that it has no type for: they travel as bytes, and every step is rounded.
template <ElementType type, ReductionOperator reduction>
void combine_mpi_elements(void* given, void* result, int* count, MPI_Datatype*) {
  reduce_elements(type, reduction, result, given, *count);
}

inline constexpr std::array<ElementType, 4> opaque_mpi_types{ElementType::float16, ElementType::bfloat16,
                                                             ElementType::float8_e4m3fn, ElementType::float8_e5m2};

template <ElementType type>
inline constexpr std::array<MPI_User_function*, 4> mpi_functions_of{
    combine_mpi_elements<type, ReductionOperator::sum>, combine_mpi_elements<type, ReductionOperator::product>,
    combine_mpi_elements<type, ReductionOperator::minimum>, combine_mpi_elements<type, ReductionOperator::maximum>};

/// By opaque type, then by step.
inline constexpr std::array<std::array<MPI_User_function*, 4>, 4> mpi_functions{
    mpi_functions_of<opaque_mpi_types[0]>, mpi_functions_of<opaque_mpi_types[1]>, mpi_functions_of<opaque_mpi_types[2]>,
    mpi_functions_of<opaque_mpi_types[3]>};

/// The types and reductions of a communicator; those that MPI lacks are made here. Freed by who owns it, while MPI
/// runs.
class MpiTypes {
 public:
  [[nodiscard]] Result<void> make() {
    for (std::size_t i = 0; i < opaque_mpi_types.size(); ++i) {
      if (auto made =
              check_mpi("MPI_Type_contiguous",
                        MPI_Type_contiguous(static_cast<int>(bytes_of(opaque_mpi_types[i])), MPI_BYTE, &opaque_[i]));
          !made)
        return made;
      if (auto made = check_mpi("MPI_Type_commit", MPI_Type_commit(&opaque_[i])); !made) return made;
    }
    constexpr int commutes = 1;
    for (std::size_t i = 0; i < operations_.size(); ++i)
      if (auto made = check_mpi("MPI_Op_create", MPI_Op_create(mpi_functions[i / 4][i % 4], commutes, &operations_[i]));
          !made)
        return made;
    return {};
  }
  void free() {
    for (MPI_Datatype& type : opaque_)
      if (type != MPI_DATATYPE_NULL) MPI_Type_free(&type);
    for (MPI_Op& operation : operations_)
      if (operation != MPI_OP_NULL) MPI_Op_free(&operation);
  }

  [[nodiscard]] MPI_Datatype type_of(ElementType type) const {
    switch (type) {
      case ElementType::int8: return MPI_INT8_T;
      case ElementType::uint8: return MPI_UINT8_T;
      case ElementType::int16: return MPI_INT16_T;
      case ElementType::uint16: return MPI_UINT16_T;
      case ElementType::int32: return MPI_INT32_T;
      case ElementType::uint32: return MPI_UINT32_T;
      case ElementType::int64: return MPI_INT64_T;
      case ElementType::uint64: return MPI_UINT64_T;
      case ElementType::float32: return MPI_FLOAT;
      case ElementType::float64: return MPI_DOUBLE;
      default: return opaque_[opaque_index(type)];
    }
  }
  /// That of a step: averages and pre-multiplied sums are sums there.
  [[nodiscard]] MPI_Op reduction_of(ElementType type, ReductionOperator reduction) const {
    if (is_opaque(type)) return operations_[opaque_index(type) * 4 + step_index(reduction)];
    switch (reduction) {
      case ReductionOperator::product: return MPI_PROD;
      case ReductionOperator::minimum: return MPI_MIN;
      case ReductionOperator::maximum: return MPI_MAX;
      default: return MPI_SUM;
    }
  }

 private:
  [[nodiscard]] static bool is_opaque(ElementType type) { return opaque_index(type) < opaque_mpi_types.size(); }
  [[nodiscard]] static std::size_t opaque_index(ElementType type) {
    std::size_t i = 0;
    while (i < opaque_mpi_types.size() && opaque_mpi_types[i] != type) ++i;
    return i;
  }
  [[nodiscard]] static std::size_t step_index(ReductionOperator reduction) {
    const auto index = static_cast<std::size_t>(reduction);
    return index < 4 ? index : 0;
  }

  std::array<MPI_Datatype, 4> opaque_{MPI_DATATYPE_NULL, MPI_DATATYPE_NULL, MPI_DATATYPE_NULL, MPI_DATATYPE_NULL};
  std::array<MPI_Op, 16> operations_ = [] {
    std::array<MPI_Op, 16> none{};
    none.fill(MPI_OP_NULL);
    return none;
  }();
};

}  // namespace assay::inline v0::detail
