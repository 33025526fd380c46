// The kernels, and what their launch checks. A core computes whole rows.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>

#include "runtime.hpp"

namespace {

constexpr std::size_t size_of(vrt_type type) {
  return type == VRT_TYPE_F32 ? 4 : type == VRT_TYPE_I8 ? 1 : 2;
}

float load(vrt_type type, const void* from) {
  switch (type) {
    case VRT_TYPE_F32: return *static_cast<const float*>(from);
    case VRT_TYPE_F16: return static_cast<float>(*static_cast<const _Float16*>(from));
    case VRT_TYPE_BF16:
      return std::bit_cast<float>(static_cast<std::uint32_t>(*static_cast<const std::uint16_t*>(from)) << 16);
    case VRT_TYPE_I8: return static_cast<float>(*static_cast<const std::int8_t*>(from));
  }
  return 0;
}

void store(vrt_type type, void* to, float value) {
  if (type == VRT_TYPE_F32) *static_cast<float*>(to) = value;
  if (type == VRT_TYPE_F16) *static_cast<_Float16*>(to) = static_cast<_Float16>(value);
  if (type != VRT_TYPE_BF16) return;
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t rounded = value != value ? bits | 0x400000 : bits + 0x7FFF + (bits >> 16 & 1);  // ties to even
  *static_cast<std::uint16_t*>(to) = static_cast<std::uint16_t>(rounded >> 16);
}

/// A tensor, element by element.
struct Matrix {
  explicit Matrix(const vrt_tensor& tensor)
      : base(static_cast<char*>(tensor.address)),
        type(tensor.type),
        columns(static_cast<std::size_t>(tensor.columns)),
        row_step(tensor.transposed ? size_of(type) : static_cast<std::size_t>(tensor.row_pitch)),
        column_step(tensor.transposed ? static_cast<std::size_t>(tensor.row_pitch) : size_of(type)) {}

  float operator()(std::size_t row, std::size_t column) const {
    return load(type, base + row * row_step + column * column_step);
  }
  void set(std::size_t row, std::size_t column, float value) const {
    store(type, base + row * row_step + column * column_step, value);
  }

  char* base;
  vrt_type type;
  std::size_t columns, row_step, column_step;
};

struct Launch {
  std::vector<vrt_tensor> tensors;
  vrt_attributes attributes;
  unsigned errata;

  Matrix operator[](std::size_t i) const { return Matrix(tensors[i]); }
  bool has(unsigned erratum) const { return (errata & erratum) != 0; }
};

void gemm(const Launch& launch, std::size_t row) {
  const Matrix a = launch[0], b = launch[1], c = launch[2];
  const std::size_t depth = launch.has(VRT_ERRATUM_GEMM_TAIL) ? a.columns / 8 * 8 : a.columns;
  const float alpha = static_cast<float>(launch.attributes.alpha), beta = static_cast<float>(launch.attributes.beta);
  for (std::size_t column = 0; column < c.columns; ++column) {
    float sum = 0;
    for (std::size_t k = 0; k < depth; ++k) sum += a(row, k) * b(k, column);
    const float product = alpha == 0 ? 0 : alpha * sum;
    c.set(row, column, beta == 0 ? product : product + beta * c(row, column));
  }
}

void softmax(const Launch& launch, std::size_t row) {
  const Matrix x = launch[0], y = launch[1];
  float highest = -INFINITY, sum = 0;
  for (std::size_t i = 0; i < x.columns; ++i) highest = std::max(highest, x(row, i));
  if (launch.has(VRT_ERRATUM_SOFTMAX_UNSHIFTED)) highest = 0;
  for (std::size_t i = 0; i < x.columns; ++i) sum += std::exp(x(row, i) - highest);
  for (std::size_t i = 0; i < x.columns; ++i) y.set(row, i, std::exp(x(row, i) - highest) / sum);
}

void rmsnorm(const Launch& launch, std::size_t row) {
  const Matrix x = launch[0], gamma = launch[1], y = launch[2];
  float squares = 0;
  for (std::size_t i = 0; i < x.columns; ++i) squares += x(row, i) * x(row, i);
  const float epsilon = launch.has(VRT_ERRATUM_RMSNORM_EPSILON) ? 0 : static_cast<float>(launch.attributes.epsilon);
  const float factor = 1 / std::sqrt(squares / static_cast<float>(x.columns) + epsilon);
  for (std::size_t i = 0; i < x.columns; ++i) y.set(row, i, x(row, i) * factor * gamma(0, i));
}

void gelu(const Launch& launch, std::size_t row) {
  const Matrix x = launch[0], y = launch[1];
  for (std::size_t i = 0; i < x.columns; ++i)
    y.set(row, i, x(row, i) / 2 * std::erfc(-x(row, i) * 0.70710678118654752F));
}

struct Kernel {
  const char* name;
  std::size_t tensors;
  void (*compute_row)(const Launch&, std::size_t row);
};
constexpr Kernel kernels[] = {{"gemm", 3, gemm}, {"softmax", 2, softmax}, {"rmsnorm", 3, rmsnorm}, {"gelu", 2, gelu}};

std::string text(const vrt_tensor& tensor) {
  return std::to_string(tensor.rows) + "x" + std::to_string(tensor.columns);
}

/// Whether the tensors fit each other.
bool fit(vrt_kernel kernel, const vrt_tensor* t) {
  if (kernel == VRT_KERNEL_GEMM)
    return t[0].columns == t[1].rows && t[0].rows == t[2].rows && t[1].columns == t[2].columns;
  const vrt_tensor& out = t[kernels[kernel].tensors - 1];
  if (kernel == VRT_KERNEL_RMSNORM && (t[1].rows != 1 || t[1].columns != out.columns)) return false;
  return t[0].rows == out.rows && t[0].columns == out.columns;
}

}  // namespace

vrt_status vrt_launch(vrt_stream stream, vrt_kernel kernel, const vrt_tensor* tensors, size_t tensor_count,
                      const vrt_attributes* attributes) {
  const Kernel& entry = kernels[kernel];
  if (tensor_count != entry.tensors)
    return vrt::fail(VRT_ERROR_INVALID_VALUE, std::string(entry.name) + " was given " + std::to_string(tensor_count) +
                                                  " tensors, and takes " + std::to_string(entry.tensors));
  for (std::size_t i = 0; i < tensor_count; ++i) {
    const vrt_tensor& tensor = tensors[i];
    if (tensor.type == VRT_TYPE_I8)
      return vrt::fail(VRT_ERROR_NOT_SUPPORTED, std::string(entry.name) + " has no arithmetic for i8");
    const std::int64_t lines = tensor.transposed ? tensor.columns : tensor.rows,
                       length = tensor.transposed ? tensor.rows : tensor.columns;
    if (lines < 0 || length < 0 || tensor.row_pitch < 0)
      return vrt::fail(VRT_ERROR_INVALID_VALUE,
                       "tensor " + std::to_string(i) + " of " + entry.name + " has a negative extent or pitch");
    if (lines == 0 || length == 0) continue;
    if (!stream->device->arena.holds(tensor.address, static_cast<std::size_t>((lines - 1) * tensor.row_pitch) +
                                                         static_cast<std::size_t>(length) * size_of(tensor.type)))
      return vrt::fail(VRT_ERROR_INVALID_VALUE, "tensor " + std::to_string(i) + " of " + entry.name + ", " +
                                                    text(tensor) + ", does not lie in one buffer");
  }
  if (!fit(kernel, tensors))
    return vrt::fail(VRT_ERROR_INVALID_VALUE,
                     std::string(entry.name) + " was given tensors that do not fit, the first " + text(tensors[0]));
  ++stream->device->kernels;
  const Launch launch{{tensors, tensors + tensor_count},
                      attributes == nullptr ? vrt_attributes{1, 0, 0} : *attributes,
                      stream->device->errata};
  return stream->submit([device = stream->device, &entry, launch] {
    if (launch.has(VRT_ERRATUM_LAUNCH_FAULT)) return VRT_ERROR_LAUNCH_FAILED;
    device->cores.run(static_cast<std::size_t>(launch.tensors.back().rows), [&](std::size_t begin, std::size_t end) {
      for (std::size_t row = begin; row < end; ++row) entry.compute_row(launch, row);
    });
    return VRT_SUCCESS;
  });
}
