#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>

#include "assay/kernels/convolution/detail/looseness_proof.hpp"
#include "assay/kernels/convolution/detail/reserve.hpp"
#include "assay/kernels/convolution/detail/wide_product.hpp"
#include "assay/kernels/convolution/finish.hpp"

namespace assay::inline v0::detail {

/// References of large direct convolutions whose results stand channel by channel, and norms that bound their scales,
/// on a backend that runs in threads of this process: sums of products that are read from padded images, with no matrix
/// of columns between. Memory besides the norms: 4 MiB of images in single precision at once, or one, and the sums of
/// squares of their chunks in double; the weights in double, and half a mebibyte a thread.
template <ParallelBackend B>
class WideConvolution {
  template <class T>
  using Buffer = typename B::template Buffer<T>;

 public:
  /// What `scales` point to.
  struct Norms {
    Buffer<double> filters{}, images{}, biases{};
  };

  WideConvolution(B& backend, typename B::Stream& stream, const ConvolutionFinish& finish)
      : backend_(backend), stream_(stream), finish_(finish), geometry_(finish.terms.geometry) {}

  [[nodiscard]] static bool suits(const ConvolutionFinish& finish) {
    const ConvolutionGeometry& geometry = finish.terms.geometry;
    const bool to_fine = geometry.product == ConvolutionProduct::fine;
    if (geometry.product == ConvolutionProduct::weights || geometry.channels_last || finish.norms != nullptr)
      return false;
    for (int d = 0; d < 3; ++d)
      if (to_fine && geometry.stride[d] != 1) return false;  // weights that the stride leaves out may be no numbers
    return (to_fine ? geometry.fine_channels : geometry.coarse_channels) > 4;
  }

  /// False, and `value` is not to be read, where a number is not finite or may overflow on the way, or norms bound
  /// scales badly.
  [[nodiscard]] Result<bool> run(double* value, Norms& norms, ConvolutionScales& scales) {
    const bool to_fine = geometry_.product == ConvolutionProduct::fine;
    const Index channels = to_fine ? geometry_.coarse_channels : geometry_.fine_channels,
                own = to_fine ? geometry_.fine_channels : geometry_.coarse_channels, groups = geometry_.groups;
    Buffer<Index> lists, terms;
    if (auto room = reserve(backend_, lists, geometry_.taps() * 5); !room) return room.propagate();
    const ConvolutionClass of =
        ConvolutionClass::of(geometry_, {0, 0, 0}, lists.data(), lists.data() + geometry_.taps() * 3);
    if (of.taps == 0 || of.taps > TapSets::most_taps) return false;
    const PaddedLayout layout = PaddedLayout::over(of, to_fine ? geometry_.coarse : geometry_.fine);
    Index* const taps = lists.data() + geometry_.taps() * 4;
    for (Index tap = 0; tap < of.taps; ++tap) taps[tap] = layout.place_of_tap(tap);
    const Index depth = channels * of.taps, places = layout.places(), positions = layout.positions();
    if (auto room = reserve(backend_, terms, depth); !room) return room.propagate();
    for (Index term = 0; term < depth; ++term) terms.data()[term] = term / of.taps * places + taps[term % of.taps];

    const Index chunk_channels = (chunk_depth + of.taps - 1) / of.taps,
                chunks = (channels + chunk_channels - 1) / chunk_channels;
    scales = {nullptr,
              nullptr,
              nullptr,
              chunks,
              geometry_.batch * positions,
              positions,
              own,
              groups,
              finish_.bound.growth + finish_.bound.reference_growth,
              finish_.bound.underflow};
    Buffer<double> packed, largest, totals;
    if (auto room = reserve(backend_, norms.filters, groups * own * chunks); !room) return room.propagate();
    if (auto room = reserve(backend_, norms.images, groups * chunks * scales.pitch + 8); !room) return room.propagate();
    if (auto room = reserve(backend_, norms.biases, finish_.adds_bias ? 2 * groups * own : 0); !room)
      return room.propagate();
    if (auto room = reserve(backend_, largest, geometry_.batch * groups * chunks); !room) return room.propagate();
    ReadFilters filters{nullptr,          own, depth, chunk_channels * of.taps, chunks, nullptr, norms.filters.data(),
                        instruction_set()};
    if (auto room = reserve(backend_, packed, groups * filters.blocks_of_depth() * filters.padded_rows() * block_depth);
        !room)
      return room.propagate();
    filters.packed = packed.data();
    LoosenessProof<B> proof(backend_, stream_, layout, taps, groups, own, channels, chunks, filters.set);
    {
      Buffer<float> matrix;
      GatherWeights gather{finish_.terms.weights, geometry_, of, nullptr};
      filters.matrix = gather.in_place();
      if (filters.matrix == nullptr) {
        if (auto room = reserve(backend_, matrix, groups * own * depth); !room) return room.propagate();
        filters.matrix = gather.to = matrix.data();
        if (auto done = backend_.parallel_for(stream_, static_cast<std::size_t>(groups * own), gather); !done)
          return done.propagate();
      }
      if (auto done =
              backend_.parallel_for(stream_, static_cast<std::size_t>(groups * filters.blocks_of_rows()), filters);
          !done)
        return done.propagate();
      if (auto done = proof.read_filters(filters.matrix, norms.filters.data()); !done) return done.propagate();
      if (auto done = backend_.synchronize(stream_); !done) return done.propagate();
    }
    double* const biases = norms.biases.data();
    for (Index channel = 0; finish_.adds_bias && channel < groups * own; ++channel) {
      biases[channel] = finish_.bias.load(channel);
      biases[groups * own + channel] = absolute(biases[channel]);
    }
    for (Index i = 0; i < 8; ++i) norms.images.data()[groups * chunks * scales.pitch + i] = 0;

    constexpr Index budget = (Index{4} << 20) / static_cast<Index>(sizeof(float));
    const Index of_image = groups * channels * places, fitting = of_image > 0 ? budget / of_image : 1,
                at_once = fitting < 1                 ? 1
                          : fitting < geometry_.batch ? fitting
                                                      : geometry_.batch;
    Buffer<float> images;
    Buffer<double> squares, workspaces;
    Buffer<int> taken;
    if (auto room = reserve(backend_, images, at_once * of_image); !room) return room.propagate();
    if (auto room = reserve(backend_, squares, at_once * groups * chunks * places); !room) return room.propagate();
    if (auto room = reserve(backend_, totals, at_once * groups * chunks); !room) return room.propagate();
    const Index threads =
        backend_.capabilities().concurrency > 0 ? static_cast<Index>(backend_.capabilities().concurrency) : 1;
    ColumnsTask product{layout,
                        images.data(),
                        terms.data(),
                        filters,
                        groups,
                        channels,
                        at_once,
                        0,
                        0,
                        {},
                        finish_.adds_bias ? biases : nullptr,
                        nullptr};
    share(product, threads);
    const Index workspace = round_up(ColumnsTask::workspace(product.columns, product.rows), 8);
    if (auto room = reserve(backend_, workspaces, threads * workspace); !room) return room.propagate();
    if (auto room = reserve(backend_, taken, threads); !room) return room.propagate();
    for (Index slot = 0; slot < threads; ++slot) taken.data()[slot] = 0;
    product.workspaces = {workspaces.data(), taken.data(), threads, workspace};

    const ConvolutionTensor& source = to_fine ? finish_.terms.coarse : finish_.terms.fine;
    for (Index first = 0; first < geometry_.batch; first += at_once) {
      product.image_count = geometry_.batch - first < at_once ? geometry_.batch - first : at_once;
      product.value = value + first * groups * own * positions;
      if (auto done = backend_.parallel_for(stream_, static_cast<std::size_t>(product.image_count * groups * channels),
                                            UnpackPadded{source, layout, first, groups * channels, images.data()});
          !done)
        return done.propagate();
      const ImageNorms of_images{layout,
                                 images.data(),
                                 taps,
                                 groups,
                                 channels,
                                 chunk_channels,
                                 chunks,
                                 squares.data(),
                                 norms.images.data() + first * positions,
                                 scales.pitch,
                                 largest.data() + first * groups * chunks,
                                 totals.data(),
                                 filters.set};
      if (auto done = backend_.parallel_for(stream_, static_cast<std::size_t>(product.image_count * groups * chunks),
                                            of_images);
          !done)
        return done.propagate();
      if (auto done = backend_.synchronize(stream_); !done) return done.propagate();
      const auto looseness = proof.of_images(images.data(), product.image_count, totals.data(),
                                             norms.images.data() + first * positions, scales.pitch);
      if (!looseness) return looseness.propagate();
      if (!(looseness.value() <= most_proved)) return false;
      if (looseness.value() > scales.looseness) scales.looseness = looseness.value();
      for (Index image = first; image < first + product.image_count; ++image)
        if (!safe(image, norms, largest.data(), own, chunks)) return false;
      if (auto done = backend_.parallel_for(stream_, product.tasks(), product); !done) return done.propagate();
      if (auto done = backend_.synchronize(stream_); !done) return done.propagate();
    }
    scales.filters = norms.filters.data();
    scales.images = norms.images.data();
    scales.biases = finish_.adds_bias ? biases + groups * own : nullptr;
    return true;
  }

 private:
  static constexpr double most_proved =
      64;  ///< times too large: a correct kernel's error is rarely above a hundredth of E

  /// Whole panels of columns, few enough that every thread has work; rows together as long as that is so.
  void share(ColumnsTask& product, Index threads) const {
    const Index panels = round_up(product.all_columns(), panel_columns) / panel_columns,
                most = ColumnsTask::most_columns / panel_columns, blocks = (panels + most - 1) / most;
    product.columns = (panels + blocks - 1) / blocks * panel_columns;
    const Index rows = threads > 1 && product.groups * blocks < 8 * threads ? MultiplyColumns::rows_at_once
                                                                            : 4 * MultiplyColumns::rows_at_once,
                parts = (product.filters.own + rows - 1) / rows;
    product.rows = round_up((product.filters.own + parts - 1) / parts, row_multiple);
  }

  /// Whether no sum of the image passes the accumulator's range, in any order, and all norms are finite.
  [[nodiscard]] bool safe(Index image, const Norms& norms, const double* largest, Index own, Index chunks) const {
    for (Index group = 0; group < geometry_.groups; ++group) {
      const double* const of_image = largest + (image * geometry_.groups + group) * chunks;
      for (Index channel = group * own; channel < (group + 1) * own; ++channel) {
        double sum = finish_.adds_bias ? norms.biases.data()[geometry_.groups * own + channel] : 0;
        for (Index chunk = 0; chunk < chunks; ++chunk)
          sum += norms.filters.data()[channel * chunks + chunk] * of_image[chunk];
        if (!(sum * (1 + finish_.bound.growth) <= finish_.bound.accumulator_max)) return false;
      }
    }
    return true;
  }

  B& backend_;
  typename B::Stream& stream_;
  ConvolutionFinish finish_;
  ConvolutionGeometry geometry_;
};

}  // namespace assay::inline v0::detail
