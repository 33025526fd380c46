#pragma once

#include "assay/gpgpu/clblast/clblast.hpp"

#include <dlfcn.h>

#include <cstddef>
#include <cstdlib>
#include <string>

#include "assay/core/config.hpp"
#include "assay/gpgpu/detail/problem_names.hpp"
#include "assay/gpgpu/opencl/opencl_device.hpp"

namespace assay::inline v0 {

namespace detail {

/// What is used of CLBlast's C interface, as clblast_c.h of version 1.5 declares it.
namespace clblast {

template <class T>
using Gemm = int (*)(int layout, int transpose_a, int transpose_b, std::size_t m, std::size_t n, std::size_t k, T alpha,
                     opencl::Memory a, std::size_t a_offset, std::size_t a_ld, opencl::Memory b, std::size_t b_offset,
                     std::size_t b_ld, T beta, opencl::Memory c, std::size_t c_offset, std::size_t c_ld,
                     opencl::Queue* queue, opencl::Event* event);
template <class T>
using BatchedGemm = int (*)(int layout, int transpose_a, int transpose_b, std::size_t m, std::size_t n, std::size_t k,
                            T alpha, opencl::Memory a, std::size_t a_offset, std::size_t a_ld, std::size_t a_stride,
                            opencl::Memory b, std::size_t b_offset, std::size_t b_ld, std::size_t b_stride, T beta,
                            opencl::Memory c, std::size_t c_offset, std::size_t c_ld, std::size_t c_stride,
                            std::size_t batch, opencl::Queue* queue, opencl::Event* event);

inline constexpr int row_major = 101, column_major = 102, as_it_is = 111, transposed = 112;
inline constexpr int invalid_dimension = -1017, no_half = -2045, no_double = -2046;

struct Functions {
  Gemm<float> sgemm = nullptr;
  Gemm<double> dgemm = nullptr;
  BatchedGemm<float> batched_sgemm = nullptr;
  BatchedGemm<double> batched_dgemm = nullptr;
};

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE Result<Functions> load() {
  const char* const chosen = std::getenv("ASSAY_CLBLAST");
  const std::string name = chosen != nullptr && *chosen != '\0' ? chosen : "libclblast.so.1";
  void* const library = ::dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    const char* const reason = ::dlerror();
    return failure(ErrorKind::unsupported, "CLBlast is not here (" + std::string(reason == nullptr ? name : reason) +
                                               "); install libclblast1, or name another library by ASSAY_CLBLAST");
  }
  Functions functions;
  const auto find = [&]<class Function>(Function& function, const char* symbol) {
    function = reinterpret_cast<Function>(::dlsym(library, symbol));
    return function != nullptr;
  };
  if (find(functions.sgemm, "CLBlastSgemm") && find(functions.dgemm, "CLBlastDgemm") &&
      find(functions.batched_sgemm, "CLBlastSgemmStridedBatched") &&
      find(functions.batched_dgemm, "CLBlastDgemmStridedBatched"))
    return functions;
  return failure(ErrorKind::unsupported, "'" + name + "' has not the C interface of CLBlast 1.4 or later");
}

/// One product on buffers that hold its operands.
class Product {
 public:
  Product(const PluginRequest& request, OpenClDevice& device, OpenClBuffers& buffers, const StagingPlan& plan)
      : request_(request), device_(device), buffers_(buffers), plan_(plan), names_(request) {}

  template <class T>
  [[nodiscard]] Result<void> run(Gemm<T> gemm, BatchedGemm<T> batched) {
    const bool rows = text("order").rfind("row", 0) == 0;
    const bool transpose_a = number("transpose_a") != 0, transpose_b = number("transpose_b") != 0;
    const std::size_t m = size("m"), n = size("n"), k = size("k"), batch = size("batch");
    const auto matrix = [&](std::size_t tensor, bool transpose) {
      const Operand& operand = request_.tensors[tensor].operand;
      const StagedPlace& place = plan_.places[tensor];
      return Matrix{buffers_.block(place.block), place.offset / sizeof(T),
                    static_cast<std::size_t>(operand.strides[rows != transpose ? 1 : 2]),
                    static_cast<std::size_t>(operand.strides[0])};
    };
    const Matrix a = matrix(0, transpose_a), b = matrix(1, transpose_b), c = matrix(2, false);
    const T alpha = static_cast<T>(real("alpha")), beta = static_cast<T>(real("beta"));
    const int layout = rows ? row_major : column_major, of_a = transpose_a ? transposed : as_it_is,
              of_b = transpose_b ? transposed : as_it_is;
    opencl::Event event = nullptr;
    const int status = batch == 1
                           ? gemm(layout, of_a, of_b, m, n, k, alpha, a.memory, a.offset, a.leading, b.memory, b.offset,
                                  b.leading, beta, c.memory, c.offset, c.leading, &device_.queue(), &event)
                           : batched(layout, of_a, of_b, m, n, k, alpha, a.memory, a.offset, a.leading, a.stride,
                                     b.memory, b.offset, b.leading, b.stride, beta, c.memory, c.offset, c.leading,
                                     c.stride, batch, &device_.queue(), &event);
    if (status == invalid_dimension)
      return failure(ErrorKind::unsupported,
                     "CLBlast refuses these extents (" + std::to_string(status) + ", invalid dimension)");
    if (status == no_double || status == no_half)
      return failure(ErrorKind::unsupported, "the device has not this precision (" + std::to_string(status) + ")");
    if (status != 0) return OpenClDevice::failed("CLBlast", status);
    return device_.wait(event);
  }

 private:
  struct Matrix {
    opencl::Memory memory;
    std::size_t offset, leading, stride;
  };

  [[nodiscard]] const ExpressionValue& value(const char* name) const {
    static const ExpressionValue none;
    const ExpressionValue* const found = names_.names().find(name);
    return found == nullptr ? none : *found;
  }
  [[nodiscard]] std::string text(const char* name) const { return value(name).text; }
  [[nodiscard]] std::int64_t number(const char* name) const { return value(name).integer; }
  [[nodiscard]] std::size_t size(const char* name) const { return static_cast<std::size_t>(value(name).integer); }
  [[nodiscard]] double real(const char* name) const { return value(name).real; }

  const PluginRequest& request_;
  OpenClDevice& device_;
  OpenClBuffers& buffers_;
  const StagingPlan& plan_;
  ProblemNames names_;
};

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE Result<void> multiply(const PluginRequest& request) {
  for (const PluginTensor& tensor : request.tensors)
    if (tensor.name == "C" && tensor.operand.size() == 0) return {};  // nothing to compute
  if (oclgrind_is_wanted())
    return failure(ErrorKind::unsupported, "CLBlast calls the system's OpenCL, and not Oclgrind's; run it without");
  static const Result<Functions> functions = load();
  if (!functions) return functions.propagate();
  const auto device = OpenClDevice::shared();
  if (!device) return device.propagate();
  const StagingPlan plan = plan_staging(request, device.value()->description().alignment);
  for (std::size_t i = 0; i < plan.places.size(); ++i)
    if (!plan.places[i].present) return failure(ErrorKind::unsupported, request.tensors[i].name + " has no elements");
  auto buffers = OpenClBuffers::create(*device.value(), plan);
  if (!buffers) return buffers.propagate();
  Product product(request, *device.value(), buffers.value(), plan);
  const auto done = request.is_double() ? product.run(functions.value().dgemm, functions.value().batched_dgemm)
                                        : product.run(functions.value().sgemm, functions.value().batched_sgemm);
  if (!done) return done.propagate();
  return buffers.value().fetch();
}

}  // namespace clblast

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE std::vector<PluginFunction> clblast_functions() {
  return {{"gemm", {"f32.f32.f32", "f64.f64.f64"}, {}, 0, {}, {}, &detail::clblast::multiply}};
}

}  // namespace assay::inline v0
