// Kernels that are right but for the fault that the plugin's file is named after: libscan-carry.so has that of a
// report in a public tracker, libright-scan-carry.so is its right twin. The table in include/assay/faults/README.md
// names the reports; tests/examples/plugin_reported.py runs the default suite on all of them. Written from what the
// reports describe.
#include <dlfcn.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "assay/plugin/plugin.h"

namespace {

using Index = std::int64_t;

/// "right-scan-carry" of "/folder/libright-scan-carry.so".
const std::string& file_name() {
  static const std::string found = [] {
    Dl_info library{};
    if (::dladdr(reinterpret_cast<const void*>(&file_name), &library) == 0) return std::string();
    const std::string path = library.dli_fname, name = path.substr(path.rfind('/') + 1);
    return name.substr(3, name.find('.') - 3);
  }();
  return found;
}

/// Elements of a tensor, or none.
struct Array {
  const assay_plugin_tensor* tensor = nullptr;

  explicit operator bool() const { return tensor != nullptr; }
  [[nodiscard]] bool holds(const char* format) const { return std::strcmp(tensor->format, format) == 0; }
  [[nodiscard]] Index extent(int d) const { return d < tensor->array.ndim ? tensor->array.shape[d] : 1; }
  [[nodiscard]] Index size() const {
    Index product = 1;
    for (int d = 0; d < tensor->array.ndim; ++d) product *= tensor->array.shape[d];
    return product;
  }
  [[nodiscard]] Index place(const std::vector<Index>& at) const {
    Index sum = 0;
    for (std::size_t d = 0; d < at.size() && static_cast<int>(d) < tensor->array.ndim; ++d)
      sum += at[d] * tensor->array.strides[d];
    return sum;
  }
  [[nodiscard]] Index place_of(Index element) const {
    Index sum = 0;
    for (int d = tensor->array.ndim - 1; d >= 0; --d) {
      sum += element % tensor->array.shape[d] * tensor->array.strides[d];
      element /= tensor->array.shape[d];
    }
    return sum;
  }
  [[nodiscard]] float& single(Index place) const { return static_cast<float*>(tensor->array.data)[place]; }
  [[nodiscard]] float& operator()(const std::vector<Index>& at) const { return single(place(at)); }
  [[nodiscard]] Index integer(Index place) const {
    const assay_plugin_type type = tensor->array.dtype;
    const void* const data = tensor->array.data;
    if (type.bits == 64) return static_cast<const std::int64_t*>(data)[place];
    if (type.bits == 32) return static_cast<const std::int32_t*>(data)[place];
    return type.code == 0 ? static_cast<const std::int8_t*>(data)[place]
                          : static_cast<const std::uint8_t*>(data)[place];
  }
  void store(Index place, Index value) const {
    if (tensor->array.dtype.bits == 64)
      static_cast<std::int64_t*>(tensor->array.data)[place] = value;
    else if (tensor->array.dtype.bits == 32)
      static_cast<std::int32_t*>(tensor->array.data)[place] = static_cast<std::int32_t>(value);
    else
      static_cast<std::uint8_t*>(tensor->array.data)[place] = static_cast<std::uint8_t>(value);
  }
};

/// A problem, and whether it is computed wrongly.
struct Call {
  const assay_plugin_problem* problem;
  bool faulty;

  [[nodiscard]] Array array(const char* name) const { return {assay_plugin_find_tensor(problem, name)}; }
  [[nodiscard]] const assay_plugin_attribute* find(const std::string& name) const {
    return assay_plugin_find_attribute(problem, name.c_str());
  }
  [[nodiscard]] Index whole(const std::string& name) const {
    const assay_plugin_attribute* const found = find(name);
    return found != nullptr ? found->integer : 0;
  }
  [[nodiscard]] double real(const std::string& name) const {
    const assay_plugin_attribute* const found = find(name);
    return found != nullptr ? found->real : 0;
  }
  [[nodiscard]] bool is(const std::string& name, const char* value) const {
    const assay_plugin_attribute* const found = find(name);
    return found != nullptr && std::strcmp(found->text, value) == 0;
  }
  [[nodiscard]] bool formats(const char* wanted) const { return std::strcmp(problem->formats, wanted) == 0; }
};

/// Where an operation of (outer, length[, inner]) has an element.
std::vector<Index> along(const Array& array, Index outer, Index position, Index inner) {
  return array.tensor->array.ndim == 3 ? std::vector<Index>{outer, position, inner}
                                       : std::vector<Index>{outer, position};
}

/// AcceleratedKernels.jl#127: blocks hand on the exclusive sum of their last element, without that element.
/// mojo-gpu-puzzles#81 (`only_neighbor`): a block adds what the block before it has summed, and no earlier one.
int prefix_sum(const Call& call, bool only_neighbor) {
  const Array x = call.array("input"), y = call.array("output");
  if (!call.formats("f32.f32")) return ASSAY_PLUGIN_UNSUPPORTED;
  const Index length = call.whole("length"), block = only_neighbor ? 256 : 512;
  const bool exclusive = call.whole("exclusive") != 0;
  for (Index outer = 0; outer < call.whole("outer"); ++outer)
    for (Index inner = 0; inner < call.whole("inner"); ++inner) {
      float carried = 0, neighbor = 0;
      for (Index begin = 0; begin < length; begin += block) {
        float own = 0, last = 0;
        for (Index i = begin; i < std::min(length, begin + block); ++i) {
          last = x(along(x, outer, i, inner));
          const float before = (call.faulty && only_neighbor ? neighbor : carried) + own;
          y(along(y, outer, i, inner)) = exclusive ? before : before + last;
          own += last;
        }
        neighbor = own;
        carried += call.faulty && !only_neighbor && exclusive ? own - last : own;
      }
    }
  return ASSAY_PLUGIN_OK;
}

/// mlx#4274: NaN is skipped, and the largest number's index returned. openvino#33626 (`lanes`): of NaN throughout the
/// index of the last lane comes out.
int argmax(const Call& call, bool lanes) {
  const Array x = call.array("input"), y = call.array("output");
  if (!x.holds("f32") || !call.is("ties", "first")) return ASSAY_PLUGIN_UNSUPPORTED;
  const Index length = call.whole("length");
  const bool propagates = call.is("nan_policy", "propagate");
  for (Index outer = 0; outer < call.whole("outer"); ++outer)
    for (Index inner = 0; inner < call.whole("inner"); ++inner) {
      Index best = -1, first_nan = -1;
      for (Index i = 0; i < length; ++i) {
        const float own = x(along(x, outer, i, inner));
        if (std::isnan(own)) {
          first_nan = first_nan < 0 ? i : first_nan;
          continue;
        }
        if (best < 0 || own > x(along(x, outer, best, inner))) best = i;
      }
      const bool all_nan = best < 0;
      if (first_nan >= 0 && (propagates || all_nan) && !(call.faulty && !lanes && !all_nan)) best = first_nan;
      if (call.faulty && lanes && all_nan) best = std::min<Index>(length, 8) - 1;
      y.store(y.place(y.tensor->array.ndim == 3 ? std::vector<Index>{outer, 0, inner}
                      : y.tensor->array.ndim == 2 && call.whole("keep_extent") != 0 && call.whole("inner") == 1
                          ? std::vector<Index>{outer, 0}
                      : y.tensor->array.ndim == 2 ? std::vector<Index>{outer, inner}
                                                  : std::vector<Index>{outer}),
              best);
    }
  return ASSAY_PLUGIN_OK;
}

/// pytorch#73205: the uniform part of smoothed labels counts rows that are ignored.
int cross_entropy(const Call& call) {
  const Array x = call.array("logits"), labels = call.array("labels"), y = call.array("loss");
  if (!x.holds("f32") || !y || !y.holds("f32") || call.whole("backward") != 0) return ASSAY_PLUGIN_UNSUPPORTED;
  const Index rows = call.whole("rows"), classes = call.whole("classes"), ignored = call.whole("ignored_label");
  const double smoothing = call.real("smoothing");
  double sum = 0;
  Index counted = 0;
  for (Index row = 0; row < rows; ++row) {
    double largest = -INFINITY, total = 0, all = 0;
    for (Index c = 0; c < classes; ++c) largest = std::fmax(largest, static_cast<double>(x({row, c})));
    bool nan = false;
    for (Index c = 0; c < classes; ++c) {
      nan = nan || std::isnan(x({row, c}));
      total += std::exp(static_cast<double>(x({row, c})) - largest);
    }
    const double log_sum = nan ? NAN : largest + std::log(total);
    for (Index c = 0; c < classes; ++c) all += log_sum - static_cast<double>(x({row, c}));
    const Index label = labels.integer(labels.place({row}));
    double loss = smoothing > 0 ? smoothing * all / static_cast<double>(classes) : 0;
    if (label == ignored) {
      loss = call.faulty ? loss : 0;
    } else {
      loss += (1 - smoothing) * (log_sum - static_cast<double>(x({row, label})));
      ++counted;
    }
    sum += loss;
    if (!call.is("reduction", "mean")) y({row}) = static_cast<float>(loss);
  }
  if (call.is("reduction", "sum")) return ASSAY_PLUGIN_UNSUPPORTED;
  if (call.is("reduction", "mean")) y.single(0) = static_cast<float>(sum / static_cast<double>(counted));
  return ASSAY_PLUGIN_OK;
}

/// pytorch#186278: tanh z = (e^2z - 1)/(e^2z + 1), whose powers overflow from x = 10 on.
int gelu_tanh(const Call& call) {
  const Array x = call.array("x"), y = call.array("output");
  if (!call.formats("f32.f32")) return ASSAY_PLUGIN_UNSUPPORTED;
  for (Index i = 0; i < y.size(); ++i) {
    const float own = x.single(x.place_of(i)), z = 0.7978845608F * (own + 0.044715F * own * own * own);
    const float power = std::exp(2 * z), tangent = call.faulty ? (power - 1) / (power + 1) : std::tanh(z);
    y.single(y.place_of(i)) = own == -INFINITY ? NAN : 0.5F * own * (1 + tangent);
  }
  return ASSAY_PLUGIN_OK;
}

/// flash-attention#2528: the causal limit of a row is that of row / group, as if heads of a group were packed.
int attention(const Call& call) {
  const Array q = call.array("query"), k = call.array("key"), v = call.array("value"), o = call.array("output"),
              sums = call.array("log_sum_exp");
  if (!q.holds("f32") || !k.holds("f32") || !call.is("storage", "dense") || call.array("additive_mask") ||
      call.array("slopes") || call.array("key_lengths") || call.array("key_scale") || call.real("soft_cap") != 0 ||
      !call.is("weights", "f32") || !call.is("scores", "f32") || call.whole("window_left") >= 0 ||
      call.whole("window_right") >= 0)
    return ASSAY_PLUGIN_UNSUPPORTED;
  const Index heads = call.whole("heads"), group = heads / call.whole("key_heads"), queries = call.whole("queries"),
              keys = call.whole("keys"), depth = call.whole("depth"), value_depth = call.whole("value_depth");
  const float scale =
      static_cast<float>(call.real("scale") > 0 ? call.real("scale") : 1 / std::sqrt(static_cast<double>(depth)));
  const bool causal = call.whole("causal") != 0;
  for (Index b = 0; b < call.whole("batch"); ++b)
    for (Index h = 0; h < heads; ++h)
      for (Index i = 0; i < queries; ++i) {
        const Index row = call.faulty && causal ? i / group : i;
        const Index diagonal = call.is("alignment", "top_left") ? row : row + keys - queries;
        std::vector<float> scores;
        float largest = -INFINITY, total = 0;
        bool nan = false;
        for (Index j = 0; j < keys && !(causal && j > diagonal); ++j) {
          float sum = 0;
          for (Index c = 0; c < depth; ++c) sum += q({b, h, i, c}) * k({b, h / group, j, c});
          scores.push_back(sum * scale);
          nan = nan || std::isnan(scores.back());
          largest = std::max(largest, scores.back());
        }
        for (float& score : scores) total += score = std::exp(score - largest);
        const bool nothing = scores.empty() || (largest == -INFINITY && !nan);
        sums({b, h, i}) = nothing ? -INFINITY : nan ? NAN : largest + std::log(total);
        for (Index c = 0; c < value_depth; ++c) {
          float sum = 0;
          for (std::size_t j = 0; j < scores.size(); ++j)
            sum += scores[j] / total * v({b, h / group, static_cast<Index>(j), c});
          o({b, h, i, c}) = nothing ? (call.is("fully_masked", "nan") ? NAN : 0) : nan ? NAN : sum;
        }
      }
  return ASSAY_PLUGIN_OK;
}

/// FlagGems#59: the two sums of a row are taken over all rows of a block of two.
int layernorm_backward(const Call& call) {
  const Array dy = call.array("gradient"), x = call.array("input"), gamma = call.array("gamma"),
              mean = call.array("mean"), deviation = call.array("deviation"), dx = call.array("input_gradient"),
              dgamma = call.array("gamma_gradient"), dbeta = call.array("beta_gradient");
  if (!call.formats("f32.f32.f32") && !(dy.holds("f32") && x.holds("f32") && dx.holds("f32") && deviation.holds("f32")))
    return ASSAY_PLUGIN_UNSUPPORTED;
  if (call.whole("forward.folded") != 0) return ASSAY_PLUGIN_UNSUPPORTED;
  const Index rows = call.whole("forward.outer"), columns = call.whole("forward.channels");
  const bool variances = call.is("forward.saved", "variance");
  const auto inverse = [&](Index row) {
    const double own = static_cast<double>(deviation({row}));
    return variances ? 1 / std::sqrt(own + call.real("forward.epsilon")) : own;
  };
  std::vector<double> gammas(static_cast<std::size_t>(columns)), betas(static_cast<std::size_t>(columns));
  for (Index row = 0; row < rows; ++row) {
    double sum = 0, product = 0;
    const Index first = call.faulty ? row / 2 * 2 : row, last = call.faulty ? std::min(rows, first + 2) : row + 1;
    for (Index other = first; other < last; ++other)
      for (Index c = 0; c < columns; ++c) {
        const double g = static_cast<double>(dy({other, c})) * (gamma ? static_cast<double>(gamma({c})) : 1);
        sum += g;
        product += g * (static_cast<double>(x({other, c})) - static_cast<double>(mean({other}))) * inverse(other);
      }
    for (Index c = 0; c < columns; ++c) {
      const double normalized = (static_cast<double>(x({row, c})) - static_cast<double>(mean({row}))) * inverse(row);
      const double g = static_cast<double>(dy({row, c})) * (gamma ? static_cast<double>(gamma({c})) : 1);
      dx({row, c}) =
          static_cast<float>(inverse(row) * (g - (sum + normalized * product) / static_cast<double>(columns)));
      gammas[static_cast<std::size_t>(c)] += static_cast<double>(dy({row, c})) * normalized;
      betas[static_cast<std::size_t>(c)] += static_cast<double>(dy({row, c}));
    }
  }
  for (Index c = 0; c < columns; ++c) {
    if (dgamma) dgamma({c}) = static_cast<float>(gammas[static_cast<std::size_t>(c)]);
    if (dbeta) dbeta({c}) = static_cast<float>(betas[static_cast<std::size_t>(c)]);
  }
  return ASSAY_PLUGIN_OK;
}

/// rocm-libraries#9030: behind the last whole block of 1024 elements, thread i reads the four elements from i on, and
/// not from 4i on, when it sums for mean and variance.
int groupnorm(const Call& call) {
  const Array x = call.array("input"), gamma = call.array("gamma"), beta = call.array("beta"), y = call.array("output"),
              means = call.array("saved_mean"), deviations = call.array("saved_deviation");
  if (!call.formats("f32.f32.f32") || call.whole("folded") != 0 || call.is("variance", "one_pass"))
    return ASSAY_PLUGIN_UNSUPPORTED;
  const Index channels = call.whole("channels"), inner = call.whole("inner"), groups = call.whole("groups"),
              own_channels = channels / groups, length = own_channels * inner;
  for (Index outer = 0; outer < call.whole("outer"); ++outer)
    for (Index group = 0; group < groups; ++group) {
      const auto place = [&](const Array& array, Index i) {
        const Index channel = group * own_channels + i / inner;
        return array.tensor->array.ndim == 3 ? array.place({outer, channel, i % inner}) : array.place({outer, channel});
      };
      std::vector<Index> read;
      const Index whole = call.faulty ? length / 1024 * 1024 : length;
      for (Index i = 0; i < whole; ++i) read.push_back(i);
      for (Index thread = 0; 4 * thread < length - whole; ++thread)
        for (Index i = 0; i < 4 && 4 * thread + i < length - whole; ++i) read.push_back(whole + thread + i);
      double mean = 0, variance = 0;
      for (const Index i : read) mean += static_cast<double>(x.single(place(x, i)));
      mean /= static_cast<double>(length);
      for (const Index i : read) {
        const double distance = static_cast<double>(x.single(place(x, i))) - mean;
        variance += distance * distance;
      }
      variance /= static_cast<double>(length);
      const double inverse = 1 / std::sqrt(variance + call.real("epsilon"));
      for (Index i = 0; i < length; ++i) {
        const Index channel = group * own_channels + i / inner;
        y.single(place(y, i)) = static_cast<float>((static_cast<double>(x.single(place(x, i))) - mean) * inverse *
                                                       (gamma ? static_cast<double>(gamma({channel})) : 1) +
                                                   (beta ? static_cast<double>(beta({channel})) : 0));
      }
      if (means) means({outer * groups + group}) = static_cast<float>(mean);
      if (deviations)
        deviations({outer * groups + group}) = static_cast<float>(call.is("saved", "variance") ? variance : inverse);
    }
  return ASSAY_PLUGIN_OK;
}

/// chainer#7506: epsilon is part of the variance that is stored, and added to it once more.
int batchnorm(const Call& call) {
  const Array x = call.array("input"), gamma = call.array("gamma"), beta = call.array("beta"), y = call.array("output"),
              mean = call.array("mean"), variance = call.array("variance");
  if (!call.formats("f32.f32.f32") || call.whole("folded") != 0) return ASSAY_PLUGIN_UNSUPPORTED;
  const double epsilon = call.real("epsilon") * (call.faulty ? 2 : 1);
  for (Index i = 0; i < y.size(); ++i) {
    const Index channel = i / call.whole("inner") % call.whole("channels");
    const double inverse = 1 / std::sqrt(static_cast<double>(variance({channel})) + epsilon);
    y.single(y.place_of(i)) =
        static_cast<float>((static_cast<double>(x.single(x.place_of(i))) - static_cast<double>(mean({channel}))) *
                               inverse * (gamma ? static_cast<double>(gamma({channel})) : 1) +
                           (beta ? static_cast<double>(beta({channel})) : 0));
  }
  return ASSAY_PLUGIN_OK;
}

/// MIOpen#112: the gradient of a logarithm of softmax is computed by the formula of softmax.
int softmax_backward(const Call& call) {
  const Array saved = call.array("saved"), dy = call.array("gradient"), dx = call.array("output");
  if (!saved.holds("f32") || !dy.holds("f32") || !dx.holds("f32")) return ASSAY_PLUGIN_UNSUPPORTED;
  const Index length = call.whole("length");
  const bool logarithm = call.whole("logarithm") != 0;
  for (Index outer = 0; outer < call.whole("outer"); ++outer)
    for (Index inner = 0; inner < call.whole("inner"); ++inner) {
      double sum = 0;
      const bool by_sum = logarithm && !call.faulty;
      for (Index i = 0; i < length; ++i) {
        const double g = static_cast<double>(dy(along(dy, outer, i, inner)));
        sum += by_sum ? g : g * static_cast<double>(saved(along(saved, outer, i, inner)));
      }
      for (Index i = 0; i < length; ++i) {
        const double g = static_cast<double>(dy(along(dy, outer, i, inner))),
                     y = static_cast<double>(saved(along(saved, outer, i, inner)));
        dx(along(dx, outer, i, inner)) =
            static_cast<float>((by_sum ? g - std::exp(y) * sum : y * (g - sum)) / call.real("temperature"));
      }
    }
  return ASSAY_PLUGIN_OK;
}

/// tvm#19524: of a transposed convolution, rows and columns that output_padding adds stay 0. ncnn#315 (`depthwise`): of
/// a depthwise convolution with dilation the output is its initial value, the bias.
int convolution(const Call& call, bool depthwise) {
  const Array x = call.array("input"), w = call.array("weights"), bias = call.array("bias"), y = call.array("output");
  if (!x || !y || !x.holds("f32") || !w.holds("f32") || !y.holds("f32") || !call.is("pass", "forward") ||
      !call.is("layout", "channels_first") || !call.is("algorithm", "direct") || call.whole("dimensions") != 2 ||
      (call.whole("transposed") != 0) == depthwise)
    return ASSAY_PLUGIN_UNSUPPORTED;
  const auto axis = [&](int d, const char* name) { return call.whole("axes[" + std::to_string(d) + "]." + name); };
  const Index inputs = call.whole("input_channels"), outputs = call.whole("output_channels"),
              groups = call.whole("groups");
  const bool transposed = call.whole("transposed") != 0;
  const Index kernel[2] = {axis(0, "kernel"), axis(1, "kernel")}, stride[2] = {axis(0, "stride"), axis(1, "stride")},
              dilation[2] = {axis(0, "dilation"), axis(1, "dilation")},
              before[2] = {axis(0, "padding_before"), axis(1, "padding_before")},
              added[2] = {axis(0, "output_padding"), axis(1, "output_padding")};
  const bool idle = call.faulty && depthwise && groups == inputs && groups > 1 && (dilation[0] > 1 || dilation[1] > 1);
  for (Index b = 0; b < call.whole("batch"); ++b)
    for (Index c = 0; c < outputs; ++c)
      for (Index row = 0; row < y.extent(2); ++row)
        for (Index column = 0; column < y.extent(3); ++column) {
          double sum = bias ? static_cast<double>(bias({c})) : 0;
          const bool padded =
              call.faulty && transposed &&
              ((added[0] > 0 && row >= y.extent(2) - added[0]) || (added[1] > 0 && column >= y.extent(3) - added[1]));
          const Index group = c / (outputs / groups);
          for (Index own = 0; own < inputs / groups && !idle && !padded; ++own)
            for (Index i = 0; i < kernel[0]; ++i)
              for (Index j = 0; j < kernel[1]; ++j) {
                Index at[2] = {row, column};
                const Index taps[2] = {i, j};
                bool inside = true;
                for (int d = 0; d < 2; ++d) {
                  const Index reach = taps[d] * dilation[d];
                  if (transposed) {
                    at[d] += before[d] - reach;
                    inside = inside && at[d] % stride[d] == 0;
                    at[d] /= stride[d];
                  } else {
                    at[d] = at[d] * stride[d] - before[d] + reach;
                  }
                  inside = inside && at[d] >= 0 && at[d] < x.extent(2 + d);
                }
                if (!inside) continue;
                const Index input = group * (inputs / groups) + own;
                const float weight = transposed ? w({input, c % (outputs / groups), i, j}) : w({c, own, i, j});
                sum += static_cast<double>(x({b, input, at[0], at[1]})) * static_cast<double>(weight);
              }
          y({b, c, row, column}) = static_cast<float>(padded && !bias ? 0 : sum);
        }
  return ASSAY_PLUGIN_OK;
}

/// pic-scale-safe#13: the coordinate of a pixel's center is cut to the number below it, and not rounded.
int resize(const Call& call) {
  const Array x = call.array("input"), y = call.array("output");
  if (!x.holds("f32") || !call.is("mode", "nearest") || call.whole("backward") != 0 ||
      call.whole("channels_last") != 0 || !call.is("coordinates", "half_pixel"))
    return ASSAY_PLUGIN_UNSUPPORTED;
  const int dimensions = static_cast<int>(call.whole("dimensions"));
  for (Index e = 0; e < y.size(); ++e) {
    std::vector<Index> at(static_cast<std::size_t>(dimensions) + 2);
    Index rest = e;
    for (int d = dimensions + 1; d >= 0; --d) {
      at[static_cast<std::size_t>(d)] = rest % y.extent(d);
      rest /= y.extent(d);
    }
    const Index place = y.place(at);
    for (int d = 0; d < dimensions; ++d) {
      Index& own = at[static_cast<std::size_t>(d) + 2];
      const double n = static_cast<double>(x.extent(d + 2)), m = static_cast<double>(y.extent(d + 2)),
                   s = ((2 * static_cast<double>(own) + 1) * n - m) / (2 * m);
      double chosen = std::floor(s);
      if (call.is("rounding", "ceil")) chosen = std::ceil(s);
      if (call.is("rounding", "half_down") && !call.faulty) chosen = std::ceil(s - 0.5);
      if (call.is("rounding", "half_up") && !call.faulty) chosen = std::floor(s + 0.5);
      own = std::clamp(static_cast<Index>(chosen), Index{0}, x.extent(d + 2) - 1);
    }
    y.single(place) = x(at);
  }
  return ASSAY_PLUGIN_OK;
}

/// sglang#40581: a cast to E4M3 saturates from the last binade on, at 256, and rounds halves up.
int cast(const Call& call) {
  const Array x = call.array("x"), y = call.array("output");
  if (!x.holds("f32") || !y.holds("e4m3fn") || !call.is("rounding", "nearest_even")) return ASSAY_PLUGIN_UNSUPPORTED;
  const bool saturating = call.whole("saturating") != 0;
  for (Index i = 0; i < y.size(); ++i) {
    const float own = x.single(x.place_of(i)), magnitude = std::fabs(own);
    std::uint8_t code = 0x7F;
    if (!std::isnan(own)) {
      int exponent = magnitude > 0 ? std::max(std::ilogb(magnitude), -6) : -6;
      const double units = std::ldexp(static_cast<double>(magnitude), 3 - exponent);  // of the last place
      double rounded = std::nearbyint(units);
      if (call.faulty) rounded = std::floor(units + 0.5);
      if (rounded >= 16) {
        rounded /= 2;
        ++exponent;
      }
      const int bits = rounded < 8 ? static_cast<int>(rounded) : (exponent + 7) * 8 + static_cast<int>(rounded) - 8;
      const bool beyond = std::isinf(own) || exponent > 8 || bits > 0x7E;
      code = static_cast<std::uint8_t>(beyond ? (saturating ? 0x7E : 0x7F) : bits);
      if (call.faulty && saturating && (beyond || exponent >= 8)) code = 0x7E;
    }
    y.store(y.place_of(i), code | (std::signbit(own) ? 0x80 : 0));
  }
  return ASSAY_PLUGIN_OK;
}

/// ComputeLibrary#1033: zero points are added to the codes, and not subtracted from them.
int int8_gemm(const Call& call) {
  const Array a = call.array("a"), b = call.array("b"), scale_a = call.array("a_scales"),
              scale_b = call.array("b_scales"), zero_a = call.array("a_zero_points"),
              zero_b = call.array("b_zero_points"), c = call.array("output");
  if (call.array("bias") || call.array("residual") || call.array("offsets") || call.array("whole_scales") ||
      call.array("metadata") || !call.is("activation", "none") || (!c.holds("f32") && !c.holds("int32")))
    return ASSAY_PLUGIN_UNSUPPORTED;
  const Index k = call.whole("k");
  const bool transposed = call.whole("transpose_b") != 0;
  const auto of = [](const Array& array, Index i) { return array.extent(0) > 1 ? i : 0; };
  for (Index i = 0; i < c.extent(0); ++i)
    for (Index j = 0; j < c.extent(1); ++j) {
      const Index za = zero_a ? zero_a.integer(zero_a.place({of(zero_a, i)})) : 0,
                  zb = zero_b ? zero_b.integer(zero_b.place({of(zero_b, j)})) : 0, sign = call.faulty ? -1 : 1;
      Index sum = 0;
      for (Index l = 0; l < k; ++l)
        sum += (a.integer(a.place({i, l})) - sign * za) *
               (b.integer(transposed ? b.place({j, l}) : b.place({l, j})) - sign * zb);
      double result = static_cast<double>(sum);
      if (scale_a) result *= static_cast<double>(scale_a({of(scale_a, i)}));
      if (scale_b) result *= static_cast<double>(scale_b({of(scale_b, j)}));
      if (c.holds("int32"))
        c.store(c.place({i, j}), static_cast<Index>(result));
      else
        c({i, j}) = static_cast<float>(result);
    }
  return ASSAY_PLUGIN_OK;
}

/// hip-ep#967: where k is no multiple of the block, zero points stay bytes that the kernel reads as 16-bit numbers:
/// next to nothing.
int weight_only_gemm(const Call& call) {
  const Array a = call.array("a"), b = call.array("b"), scales = call.array("b_scales"),
              zeros = call.array("b_zero_points"), c = call.array("output");
  if (!zeros || !a.holds("f32") || !c.holds("f32") || !scales.holds("f32") || call.array("bias") ||
      call.array("residual") || call.array("whole_scales") || call.array("offsets") || !call.is("activation", "none") ||
      !call.is("b.element", "uint4") || call.is("b.packing", "bytes") || call.whole("b.block_columns") == 0 ||
      !call.is("b.scale_order", "strided") || call.whole("b.block_rows") != 1)
    return ASSAY_PLUGIN_UNSUPPORTED;
  const Index k = call.whole("k"), block = call.whole("b.block_columns");
  const bool high_first = call.is("b.packing", "high_first"), unread = call.faulty && k % block != 0;
  for (Index i = 0; i < c.extent(0); ++i)
    for (Index j = 0; j < c.extent(1); ++j) {
      double sum = 0;
      for (Index l = 0; l < k; ++l) {
        const Index byte = b.integer(b.place({j, l / 2})), code = (l % 2 == 0) == high_first ? byte >> 4 : byte & 15;
        const double zero = unread ? 0 : static_cast<double>(zeros.integer(zeros.place({j, l / block})));
        sum += static_cast<double>(a({i, l})) * (static_cast<double>(code) - zero) *
               static_cast<double>(scales({j, l / block}));
      }
      c({i, j}) = static_cast<float>(sum);
    }
  return ASSAY_PLUGIN_OK;
}

/// tvm#20297: an index that counts from the end is taken as it is, and finds nothing.
int gather(const Call& call) {
  const Array table = call.array("table"), indices = call.array("indices"), y = call.array("output");
  if (!table.holds("f32")) return ASSAY_PLUGIN_UNSUPPORTED;
  const Index rows = call.whole("rows");
  for (Index i = 0; i < call.whole("count"); ++i) {
    Index row = indices.integer(indices.place({i}));
    if (row < 0 && call.is("negative", "from_end") && !call.faulty) row += rows;
    if (call.is("out_of_range", "clamped") && rows > 0) row = std::clamp(row, Index{0}, rows - 1);
    for (Index c = 0; c < call.whole("width"); ++c) y({i, c}) = row >= 0 && row < rows ? table({row, c}) : 0;
  }
  return ASSAY_PLUGIN_OK;
}

struct Report {
  const char* fault;
  const char* operation;
  std::function<int(const Call&)> run;
};

const std::vector<Report>& reports() {
  static const std::vector<Report> all{
      {"scan-carry", "reduce_prefix_sum", [](const Call& call) { return prefix_sum(call, false); }},
      {"scan-neighbor", "reduce_prefix_sum", [](const Call& call) { return prefix_sum(call, true); }},
      {"argmax-nan", "reduce_argmax", [](const Call& call) { return argmax(call, false); }},
      {"argmax-all-nan", "reduce_argmax", [](const Call& call) { return argmax(call, true); }},
      {"smoothed-ignored", "cross_entropy", cross_entropy},
      {"gelu-overflow", "gelu_tanh", gelu_tanh},
      {"causal-by-group", "attention", attention},
      {"sums-of-two-rows", "layernorm_backward", layernorm_backward},
      {"remainder-stride", "groupnorm", groupnorm},
      {"epsilon-twice", "batchnorm", batchnorm},
      {"log-as-softmax", "softmax_backward", softmax_backward},
      {"output-padding", "transposed_convolution", [](const Call& call) { return convolution(call, false); }},
      {"dilated-depthwise", "convolution", [](const Call& call) { return convolution(call, true); }},
      {"nearest-by-floor", "resize", resize},
      {"early-saturation", "cast", cast},
      {"zero-points-added", "int8_gemm", int8_gemm},
      {"ragged-zero-points", "weight_only_gemm", weight_only_gemm},
      {"negative-indices", "gather", gather},
  };
  return all;
}

/// The report that the file is named after.
const Report* report() {
  static const Report* const found = [] {
    const std::string name = file_name();
    for (const Report& each : reports())
      if (name == each.fault || name == std::string("right-") + each.fault) return &each;
    return static_cast<const Report*>(nullptr);
  }();
  return found;
}

std::int32_t run(void*, const assay_plugin_problem* problem, const assay_plugin_launch* launch) {
  const int status = report()->run({problem, file_name().rfind("right-", 0) != 0});
  if (status == ASSAY_PLUGIN_UNSUPPORTED)
    std::snprintf(launch->message, static_cast<std::size_t>(launch->message_capacity),
                  "this kernel was written for what the report is about");
  return status;
}

}  // namespace

const assay_plugin* assay_plugin_entry(std::uint32_t) {
  if (report() == nullptr) return nullptr;
  static assay_plugin_kernel kernel{};
  kernel.size = sizeof kernel;
  kernel.operation = report()->operation;
  kernel.run = run;
  static const assay_plugin_kernel* const kernels[] = {&kernel};
  static assay_plugin plugin{};
  plugin.size = sizeof plugin;
  plugin.abi = ASSAY_PLUGIN_ABI;
  plugin.name = file_name().c_str();
  plugin.kernel_count = 1;
  plugin.kernels = kernels;
  return &plugin;
}
