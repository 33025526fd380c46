#pragma once

#include "assay/frameworks/detail/bounded_node.hpp"

#include <algorithm>
#include <cmath>

#include "assay/core/config.hpp"

namespace assay::inline v0::detail {

ASSAY_DETAIL_HEADER_INLINE Result<BoundedTensor> bounded_product(const BoundedNode& node) {
  const BoundedTensor &a = node.at(0), &b = node.at(1);
  const std::size_t rank_a = a.extents.size(), rank_b = b.extents.size();
  if (rank_a < 2 || rank_b < 2 || (rank_b > 2 && rank_a != rank_b)) return node.unsupported("of these ranks");
  const std::int64_t m = a.extents[rank_a - 2], k = a.extents[rank_a - 1], n = b.extents[rank_b - 1];
  if (b.extents[rank_b - 2] != k || node.integer("transA", 0) != 0 || node.integer("transB", 0) != 0)
    return node.unsupported("of extents that do not fit, or transposed,");
  std::vector<std::int64_t> extents(a.extents.begin(), a.extents.end() - 1);
  extents.push_back(n);
  if (rank_b > 2 && !std::equal(a.extents.begin(), a.extents.end() - 2, b.extents.begin()))
    return node.unsupported("of batches that do not fit");
  BoundedTensor result = empty_like(extents);
  const double own = gamma_of(k + 4);
  const std::size_t rows = result.values.size() / static_cast<std::size_t>(n), depth = static_cast<std::size_t>(k),
                    columns = static_cast<std::size_t>(n);
  for (std::size_t row = 0; row < rows; ++row) {
    const std::size_t batch = rank_b > 2 ? row / static_cast<std::size_t>(m) * depth * columns : 0;
    for (std::size_t column = 0; column < columns; ++column) {
      double value = 0, error = 0, magnitude = 0;
      for (std::size_t i = 0; i < depth; ++i) {
        const std::size_t p = row * depth + i, q = batch + i * columns + column;
        const double x = std::fabs(a.values[p]), y = std::fabs(b.values[q]);
        value += a.values[p] * b.values[q];
        error += x * b.errors[q] + y * a.errors[p] + a.errors[p] * b.errors[q];
        magnitude += (x + a.errors[p]) * (y + b.errors[q]);
      }
      if (node.has(2)) {
        const BoundedTensor& bias = node.at(2);
        const std::size_t at_bias = bias.values.size() == columns ? column : row * columns + column;
        if (at_bias >= bias.values.size()) return node.unsupported("with this bias");
        value += bias.values[at_bias];
        error += bias.errors[at_bias];
        magnitude += std::fabs(bias.values[at_bias]) + bias.errors[at_bias];
      }
      result.values[row * columns + column] = value;
      result.errors[row * columns + column] = error + own * magnitude;
    }
  }
  return result;
}

ASSAY_DETAIL_HEADER_INLINE Result<BoundedTensor> bounded_rows(const BoundedNode& node) {
  const BoundedTensor& x = node.at(0);
  if (x.extents.empty() || x.extents.back() < 1) return node.unsupported("of a scalar or of nothing");
  const auto rank = static_cast<std::int64_t>(x.extents.size());
  std::int64_t axis = node.integer("axis", -1);
  if (node.operation() != "Softmax") {
    const std::vector<std::int64_t> axes = node.integers("axes", {});
    if (axes.size() == 1)
      axis = axes[0];
    else if (node.has(1) && node.at(1).values.size() == 1)
      axis = static_cast<std::int64_t>(node.at(1).values[0]);
    else
      return node.unsupported("along other axes than one");
    if (node.integer("keepdims", 1) != 1) return node.unsupported("that drops the axis");
  }
  if (axis != -1 && axis != rank - 1) return node.unsupported("along another axis than the last");
  const std::size_t length = static_cast<std::size_t>(x.extents.back()), count = x.values.size() / length;
  std::vector<std::int64_t> extents = x.extents;
  const bool softmax = node.operation() == "Softmax";
  if (!softmax) extents.back() = 1;
  BoundedTensor result = empty_like(extents);
  for (std::size_t row = 0; row < count; ++row) {
    const double* const values = x.values.data() + row * length;
    const double* const errors = x.errors.data() + row * length;
    double most = values[0], sum = 0, magnitude = 0, error = 0, largest_error = 0;
    for (std::size_t i = 0; i < length; ++i) {
      most = std::max(most, values[i]);
      sum += values[i];
      magnitude += std::fabs(values[i]) + errors[i];
      error += errors[i];
      largest_error = std::max(largest_error, errors[i]);
    }
    if (softmax) {
      double total = 0;
      for (std::size_t i = 0; i < length; ++i) total += std::exp(values[i] - most);
      for (std::size_t i = 0; i < length; ++i) {
        const double y = std::exp(values[i] - most) / total;
        // Differences to the largest are rounded, too: relative errors of their exponential.
        const double relative = std::expm1(2 * largest_error + unit * std::min(most - values[i], 110.0)) +
                                gamma_of(static_cast<std::int64_t>(length) + 4) + 2 * function_ulps;
        result.values[row * length + i] = y;
        result.errors[row * length + i] = y * relative + 0x1p-126;
      }
    } else if (node.operation() == "ReduceMax") {
      result.values[row] = most;
      result.errors[row] = largest_error;
    } else {
      const double scale = node.operation() == "ReduceMean" ? 1.0 / static_cast<double>(length) : 1.0;
      result.values[row] = sum * scale;
      result.errors[row] = (error + gamma_of(static_cast<std::int64_t>(length) + 4) * magnitude) * scale;
    }
  }
  return result;
}

ASSAY_DETAIL_HEADER_INLINE Result<BoundedTensor> bounded_layer_norm(const BoundedNode& node) {
  const BoundedTensor& x = node.at(0);
  const auto rank = static_cast<std::int64_t>(x.extents.size());
  if (rank < 1 || (node.integer("axis", -1) != -1 && node.integer("axis", -1) != rank - 1) || !node.has(1))
    return node.unsupported("along another axis than the last");
  const std::size_t length = static_cast<std::size_t>(x.extents.back());
  const double epsilon = node.real("epsilon", 1e-5), count = static_cast<double>(length),
               own = gamma_of(static_cast<std::int64_t>(length) + 8);
  BoundedTensor result = x;
  for (std::size_t row = 0; row < x.values.size() / length; ++row) {
    double mean = 0, magnitude = 0, error = 0, variance = 0, spread = 0;
    for (std::size_t i = row * length; i < (row + 1) * length; ++i) {
      mean += x.values[i] / count;
      magnitude += (std::fabs(x.values[i]) + x.errors[i]) / count;
      error += x.errors[i] / count;
    }
    const double mean_error = error + own * magnitude;
    for (std::size_t i = row * length; i < (row + 1) * length; ++i) {
      const double d = x.values[i] - mean, off = x.errors[i] + mean_error;
      variance += d * d / count;
      spread += (2 * std::fabs(d) * off + off * off) / count;
    }
    const double variance_error = spread + own * (variance + spread), deviation = std::sqrt(variance + epsilon);
    for (std::size_t i = row * length; i < (row + 1) * length; ++i) {
      const double d = x.values[i] - mean, y = d / deviation, scale = node.at(1).values[i - row * length];
      const double relative = variance_error / (2 * std::max(variance + epsilon - variance_error, epsilon));
      const double off = (x.errors[i] + mean_error) / deviation + std::fabs(y) * (relative + 8 * unit);
      const double bias = node.has(2) ? node.at(2).values[i - row * length] : 0;
      result.values[i] = y * scale + bias;
      result.errors[i] = off * std::fabs(scale) + 4 * unit * (std::fabs(y * scale) + std::fabs(bias));
    }
  }
  return result;
}

ASSAY_DETAIL_HEADER_INLINE Result<BoundedTensor> bounded_transposed(const BoundedNode& node) {
  const BoundedTensor& x = node.at(0);
  const std::size_t rank = x.extents.size();
  std::vector<std::int64_t> order = node.integers("perm", {});
  if (order.empty())
    for (std::size_t d = rank; d-- > 0;) order.push_back(static_cast<std::int64_t>(d));
  if (order.size() != rank) return node.unsupported("of this order");
  std::vector<std::int64_t> extents, strides(rank, 1), moved;
  for (std::size_t d = rank; d-- > 1;) strides[d - 1] = strides[d] * x.extents[d];
  for (const std::int64_t d : order) {
    if (d < 0 || d >= static_cast<std::int64_t>(rank)) return node.unsupported("of this order");
    extents.push_back(x.extents[static_cast<std::size_t>(d)]);
    moved.push_back(strides[static_cast<std::size_t>(d)]);
  }
  BoundedTensor result = empty_like(extents);
  for (std::size_t i = 0; i < result.values.size(); ++i) {
    auto left = static_cast<std::int64_t>(i);
    std::int64_t from = 0;
    for (std::size_t d = rank; d-- > 0;) {
      from += left % extents[d] * moved[d];
      left /= extents[d];
    }
    result.values[i] = x.values[static_cast<std::size_t>(from)];
    result.errors[i] = x.errors[static_cast<std::size_t>(from)];
  }
  return result;
}

ASSAY_DETAIL_HEADER_INLINE Result<BoundedTensor> bounded_convolution(const BoundedNode& node) {
  const BoundedTensor &x = node.at(0), &w = node.at(1);
  const std::vector<std::int64_t> pads = node.integers("pads", {0, 0, 0, 0}), steps = node.integers("strides", {1, 1});
  if (x.extents.size() != 4 || w.extents.size() != 4 || node.integer("group", 1) != 1 || pads.size() != 4 ||
      steps.size() != 2 || w.extents[1] != x.extents[1] || !node.integers("dilations", {}).empty())
    return node.unsupported("of other than two dimensions, or with groups or dilations,");
  const std::int64_t channels = x.extents[1], height = x.extents[2], width = x.extents[3], high = w.extents[2],
                     wide = w.extents[3];
  const std::int64_t rows = (height + pads[0] + pads[2] - high) / steps[0] + 1,
                     columns = (width + pads[1] + pads[3] - wide) / steps[1] + 1;
  BoundedTensor result = empty_like({x.extents[0], w.extents[0], rows, columns});
  const double own = gamma_of(channels * high * wide + 4);
  std::size_t to = 0;
  for (std::int64_t image = 0; image < x.extents[0]; ++image)
    for (std::int64_t filter = 0; filter < w.extents[0]; ++filter)
      for (std::int64_t row = 0; row < rows; ++row)
        for (std::int64_t column = 0; column < columns; ++column, ++to) {
          double value = node.has(2) ? node.at(2).values[static_cast<std::size_t>(filter)] : 0, error = 0;
          double magnitude = std::fabs(value);
          for (std::int64_t c = 0; c < channels; ++c)
            for (std::int64_t i = 0; i < high; ++i)
              for (std::int64_t j = 0; j < wide; ++j) {
                const std::int64_t y = row * steps[0] + i - pads[0], z = column * steps[1] + j - pads[1];
                if (y < 0 || z < 0 || y >= height || z >= width) continue;
                const auto p = static_cast<std::size_t>(((image * channels + c) * height + y) * width + z);
                const auto q = static_cast<std::size_t>(((filter * channels + c) * high + i) * wide + j);
                value += x.values[p] * w.values[q];
                error += std::fabs(w.values[q]) * x.errors[p] + std::fabs(x.values[p]) * w.errors[q];
                magnitude += (std::fabs(x.values[p]) + x.errors[p]) * (std::fabs(w.values[q]) + w.errors[q]);
              }
          result.values[to] = value;
          result.errors[to] = error + own * magnitude;
        }
  return result;
}

ASSAY_DETAIL_HEADER_INLINE Result<BoundedTensor> bounded_batch_norm(const BoundedNode& node) {
  const BoundedTensor& x = node.at(0);
  if (x.extents.size() < 2 || !node.has(4) || node.integer("training_mode", 0) != 0)
    return node.unsupported("of this form");
  const double epsilon = node.real("epsilon", 1e-5);
  const auto channels = static_cast<std::size_t>(x.extents[1]);
  std::size_t inner = 1;
  for (std::size_t d = 2; d < x.extents.size(); ++d) inner *= static_cast<std::size_t>(x.extents[d]);
  BoundedTensor result = x;
  for (std::size_t i = 0; i < x.values.size(); ++i) {
    const std::size_t c = i / inner % channels;
    const double factor = node.at(1).values[c] / std::sqrt(node.at(4).values[c] + epsilon);
    result.values[i] = (x.values[i] - node.at(3).values[c]) * factor + node.at(2).values[c];
    // Also where it is folded to x·a + b.
    const double terms = (std::fabs(x.values[i]) + std::fabs(node.at(3).values[c])) * std::fabs(factor);
    result.errors[i] =
        x.errors[i] * std::fabs(factor) * (1 + 8 * unit) + 8 * unit * (terms + std::fabs(node.at(2).values[c]));
  }
  return result;
}

}  // namespace assay::inline v0::detail
