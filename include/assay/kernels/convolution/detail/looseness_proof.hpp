#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "assay/backends/parallel_backend.hpp"
#include "assay/core/result.hpp"
#include "assay/kernels/convolution/detail/reserve.hpp"
#include "assay/kernels/convolution/detail/wide_looseness.hpp"

namespace assay::inline v0::detail {

/// Proves by how much products of norms exceed S = Σ|x·w| at the most, on a backend that runs in threads of this
/// process: first of all filters, then of some images at a time.
template <ParallelBackend B>
class LoosenessProof {
 public:
  /// Precondition: at most `TapSets::most_taps` taps. `taps`: their places.
  LoosenessProof(B& backend, typename B::Stream& stream, const PaddedLayout& layout, const Index* taps, Index groups,
                 Index own, Index channels, Index chunks, InstructionSet set)
      : backend_(backend),
        stream_(stream),
        layout_(layout),
        taps_(taps),
        groups_(groups),
        own_(own),
        channels_(channels),
        chunks_(chunks),
        set_(set),
        sets_(layout),
        filters_(static_cast<std::size_t>(groups * own) * sets_.size()) {}

  /// Weights, group × own × channel × tap, and their norms, group × own × chunk. They must stay until the stream is
  /// synchronized.
  [[nodiscard]] Result<void> read_filters(const float* matrix, const double* norms) {
    return backend_.parallel_for(
        stream_, static_cast<std::size_t>(groups_ * own_),
        FilterShares{sets_, matrix, channels_, layout_.of.taps, norms, chunks_, filters_.data(), set_});
  }

  /// How many times too large at most, infinite where nothing is proved, of padded images; `norms` and the sums of
  /// squares as `ImageNorms` writes them.
  [[nodiscard]] Result<double> of_images(const float* images, Index image_count, const double* totals,
                                         const double* norms, Index pitch) {
    const Index parts = image_count * groups_, places = layout_.places();
    if (auto room = reserve(backend_, reached_, parts * MagnitudeShares::levels * places); !room)
      return room.propagate();
    root_mean_squares_.resize(static_cast<std::size_t>(parts));
    met_.resize(static_cast<std::size_t>(parts) * sets_.size());
    const double elements =
        static_cast<double>(channels_ * layout_.extents[0] * layout_.extents[1] * layout_.extents[2]);
    for (Index part = 0; part < parts; ++part) {
      double sum = 0;
      for (Index chunk = 0; chunk < chunks_; ++chunk) sum += totals[part * chunks_ + chunk];
      root_mean_squares_[static_cast<std::size_t>(part)] = std::sqrt(sum / elements);
    }
    const ReachedPlaces count{images, channels_, places, root_mean_squares_.data(), reached_.data(), set_};
    if (auto done = backend_.parallel_for(stream_, static_cast<std::size_t>(parts * count.blocks()), count); !done)
      return done.propagate();
    const MeetElements meet{sets_,           layout_, taps_, groups_,     channels_, chunks_,
                            reached_.data(), norms,   pitch, met_.data(), set_};
    if (auto done = backend_.parallel_for(stream_, static_cast<std::size_t>(parts), meet); !done)
      return done.propagate();
    if (auto done = backend_.synchronize(stream_); !done) return done.propagate();
    double most = 1;
    for (std::size_t part = 0; part < root_mean_squares_.size(); ++part)
      for (std::size_t set = 0; set < sets_.size(); ++set) {
        const double own = looseness(part, set);
        most = own <= most ? most : own;  // also where it is no number
      }
    return most;
  }

 private:
  /// ‖x‖·‖w‖ over the least S of results with a set of taps.
  [[nodiscard]] double looseness(std::size_t part, std::size_t set) const {
    const MetElements& met = met_[part * sets_.size() + set];
    if (!(met.largest_norm > 0)) return 1;
    MagnitudeShares of_filters;
    const std::size_t own = static_cast<std::size_t>(own_), first = part % static_cast<std::size_t>(groups_) * own;
    for (std::size_t filter = first; filter < first + own; ++filter)
      of_filters.meet(filters_[filter * sets_.size() + set].share);
    const Index elements = channels_ * sets_.count(set);
    return most_looseness(met.shares(elements), of_filters) * met.largest_norm *
           std::sqrt(static_cast<double>(channels_ * layout_.of.taps)) /
           (static_cast<double>(elements) * root_mean_squares_[part]);
  }

  B& backend_;
  typename B::Stream& stream_;
  PaddedLayout layout_;
  const Index* taps_;
  Index groups_, own_, channels_, chunks_;
  InstructionSet set_;
  TapSets sets_;
  std::vector<MagnitudeShares> filters_;   ///< filter × set
  std::vector<MetElements> met_;           ///< image × group × set
  std::vector<double> root_mean_squares_;  ///< image × group
  typename B::template Buffer<std::int32_t> reached_{};
};

}  // namespace assay::inline v0::detail
