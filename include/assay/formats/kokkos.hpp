#pragma once

#include <Kokkos_Core.hpp>

#include "assay/formats/interchange.hpp"

/// Kokkos' half types are formats. Without a device that has them, Kokkos makes them other names of float, which is a
/// format already.

namespace assay::inline v0 {

#if defined(KOKKOS_HALF_T_IS_FLOAT) && !KOKKOS_HALF_T_IS_FLOAT
template <>
struct FormatTraits<Kokkos::Experimental::half_t> : InterchangeTraits<Kokkos::Experimental::half_t, float16> {};
#endif

#if defined(KOKKOS_BHALF_T_IS_FLOAT) && !KOKKOS_BHALF_T_IS_FLOAT
template <>
struct FormatTraits<Kokkos::Experimental::bhalf_t> : InterchangeTraits<Kokkos::Experimental::bhalf_t, bfloat16> {};
#endif

}  // namespace assay::inline v0
