#pragma once

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <functional>
#include <string>

#include "assay/plugin/plugin.h"

/// Kernels as plugins have them, against plugin.h alone.
namespace assay::testing {

using PluginRun = std::function<std::int32_t(const assay_plugin_problem&, const assay_plugin_launch&)>;

/// The element with that position in row-major order, as a plugin would find it.
template <class T>
[[nodiscard]] T& element(const assay_plugin_tensor& tensor, std::int64_t position) {
  const assay_plugin_array& array = tensor.array;
  std::int64_t offset = 0;
  for (int d = array.ndim - 1; d >= 0; --d) {
    offset += position % array.shape[d] * array.strides[d];
    position /= array.shape[d];
  }
  return static_cast<T*>(array.data)[offset];
}

[[nodiscard]] inline std::int64_t elements(const assay_plugin_tensor& tensor) {
  std::int64_t product = 1;
  for (int d = 0; d < tensor.array.ndim; ++d) product *= tensor.array.shape[d];
  return product;
}

/// max(x, 0) of float32, NaN where x is NaN.
[[nodiscard]] inline std::int32_t right_relu(const assay_plugin_problem& problem, const assay_plugin_launch& launch) {
  const assay_plugin_tensor &x = *problem.tensors[0], &output = *problem.tensors[3];
  if (std::strcmp(x.format, "f32") != 0 || std::strcmp(output.format, "f32") != 0) {
    std::snprintf(launch.message, static_cast<std::size_t>(launch.message_capacity), "float32 only, not %s",
                  problem.formats);
    return ASSAY_PLUGIN_UNSUPPORTED;
  }
  for (std::int64_t i = 0; i < elements(x); ++i)
    element<float>(output, i) = element<float>(x, i) < 0 ? 0 : element<float>(x, i);
  return ASSAY_PLUGIN_OK;
}

/// C = α·A·B + β·C of `T`, by strides alone, with sums kept in `Sum`.
template <class T, class Sum = T>
[[nodiscard]] std::int32_t right_gemm(const assay_plugin_problem& problem, const assay_plugin_launch&) {
  const assay_plugin_array &a = problem.tensors[0]->array, &b = problem.tensors[1]->array,
                           &c = problem.tensors[2]->array;
  const Sum alpha = static_cast<Sum>(assay_plugin_find_attribute(&problem, "alpha")->real);
  const Sum beta = static_cast<Sum>(assay_plugin_find_attribute(&problem, "beta")->real);
  const auto at = [](const assay_plugin_array& array, std::int64_t i, std::int64_t j, std::int64_t k) -> T& {
    return static_cast<T*>(array.data)[i * array.strides[0] + j * array.strides[1] + k * array.strides[2]];
  };
  for (std::int64_t batch = 0; batch < c.shape[0]; ++batch)
    for (std::int64_t row = 0; row < c.shape[1]; ++row)
      for (std::int64_t column = 0; column < c.shape[2]; ++column) {
        Sum sum = 0;
        for (std::int64_t k = 0; k < a.shape[2]; ++k)
          sum += static_cast<Sum>(at(a, batch, row, k)) * static_cast<Sum>(at(b, batch, k, column));
        T& to = at(c, batch, row, column);
        to = static_cast<T>(beta == 0 ? alpha * sum : alpha * sum + beta * static_cast<Sum>(to));
      }
  return ASSAY_PLUGIN_OK;
}

/// A plugin of one kernel.
struct OneKernelPlugin {
  PluginRun compute;
  assay_plugin_kernel kernel{};
  const assay_plugin_kernel* kernels[1] = {&kernel};
  assay_plugin plugin{};

  OneKernelPlugin(const char* operation, PluginRun run) : compute(std::move(run)) {
    kernel.size = sizeof kernel;
    kernel.operation = operation;
    kernel.context = this;
    kernel.run = [](void* context, const assay_plugin_problem* problem, const assay_plugin_launch* launch) {
      return static_cast<OneKernelPlugin*>(context)->compute(*problem, *launch);
    };
    plugin.size = sizeof plugin;
    plugin.abi = ASSAY_PLUGIN_ABI;
    plugin.name = "mine";
    plugin.version = "1.2";
    plugin.kernel_count = 1;
    plugin.kernels = kernels;
  }
  OneKernelPlugin(const OneKernelPlugin&) = delete;
  OneKernelPlugin& operator=(const OneKernelPlugin&) = delete;
};

}  // namespace assay::testing
