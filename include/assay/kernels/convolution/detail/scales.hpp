#pragma once

#include "assay/core/index.hpp"
#include "assay/core/instruction_set.hpp"
#include "assay/core/vector_variants.hpp"
#include "assay/kernels/gemm/detail/chunk_weights.hpp"

namespace assay::inline v0::detail {

/// Upper bounds of S = Σ |x·w|, not stored but as norms whose products they are: by Cauchy and Schwarz S ≤ Σ_c
/// ‖x_c‖·‖w_c‖, over chunks c of whole channels. Results have their channels before their positions.
struct ConvolutionScales {
  const double* filters = nullptr;  ///< ‖w_c‖: groups · channels × chunks
  const double* images =
      nullptr;  ///< ‖x_c‖: groups × chunks × pitch, with images · positions in a row, and 8 numbers behind the last
  const double* biases = nullptr;                            ///< |bias| of every channel, or null
  Index chunks = 0;                                          ///< 0: S is not had in this way
  Index pitch = 0, positions = 1, channels = 1, groups = 1;  ///< channels of a group
  double growth = 0, underflow = 0;
  double looseness = tolerated_looseness;  ///< no bound is larger than so many times S

  [[nodiscard]] ASSAY_FUNCTION double error(Index result) const {
    const Index position = result % positions, channel = result / positions % (channels * groups),
                image = result / positions / (channels * groups);
    const double* const columns = images + channel / channels * chunks * pitch + image * positions + position;
    double sum = 0;
    for (Index chunk = 0; chunk < chunks; ++chunk) sum += filters[channel * chunks + chunk] * columns[chunk * pitch];
    return growth * sum + least_error(channel);
  }
  [[nodiscard]] ASSAY_FUNCTION double least_error(Index channel) const {
    return biases != nullptr ? growth * biases[channel] + underflow : underflow;
  }

  /// E of results [first, first + count).
  void errors(Index first, Index count, double* to) const;
};

}  // namespace assay::inline v0::detail

#if ASSAY_DETAIL_VECTOR_VARIANTS
#if defined(__NVCC__)
#pragma nv_diagnostic push
#pragma nv_diag_suppress 1675  // unknown attributes: the host compiler knows them
#endif

namespace assay::inline v0::detail {
inline namespace ASSAY_DETAIL_UNIT_VARIANT {

/// growth·Σ_c filter[c]·images[c·pitch + i] + least. Reads whole vectors.
struct ScaledErrors {
  template <std::size_t VectorBytes>
  ASSAY_DETAIL_INLINE static void run(const double* filter, const double* images, Index pitch, Index chunks,
                                      double growth, double least, Index count, double* to) {
    using Double = typename Vector<double, VectorBytes>::Type;
    using Place = typename Vector<double, VectorBytes>::Unaligned;
    constexpr Index lanes = static_cast<Index>(VectorBytes / sizeof(double));
    for (Index i = 0; i < count; i += lanes) {
      Double sum{};
      for (Index chunk = 0; chunk < chunks; ++chunk) {
        const Double norms = *reinterpret_cast<const Place*>(images + chunk * pitch + i);
        sum += filter[chunk] * norms;
      }
      sum = growth * sum + least;
      if (i + lanes <= count)
        *reinterpret_cast<Place*>(to + i) = sum;
      else
        for (Index lane = 0; i + lane < count; ++lane) to[i + lane] = sum[lane];
    }
  }
};

}  // namespace ASSAY_DETAIL_UNIT_VARIANT
}  // namespace assay::inline v0::detail

#if defined(__NVCC__)
#pragma nv_diagnostic pop
#endif
#endif

namespace assay::inline v0::detail {

inline void ConvolutionScales::errors(Index first, Index count, double* to) const {
#if ASSAY_DETAIL_VECTOR_VARIANTS
  for (Index done = 0; done < count;) {
    const Index position = (first + done) % positions, before = (first + done) / positions,
                channel = before % (channels * groups), left = count - done;
    const Index part = positions - position < left ? positions - position : left;
    const double* const filter = filters + channel * chunks;
    const double* const columns =
        images + channel / channels * chunks * pitch + before / (channels * groups) * positions + position;
    double* const target = to + done;
    const double least = least_error(channel);
    run_variant<ScaledErrors>(instruction_set(), filter, columns, pitch, chunks, growth, least, part, target);
    done += part;
  }
#else
  for (Index i = 0; i < count; ++i) to[i] = error(first + i);
#endif
}

}  // namespace assay::inline v0::detail
