#pragma once

#include <new>
#include <string>
#include <type_traits>
#include <unordered_map>

#include "assay/adapters/detail/gemm_scalar.hpp"
#include "assay/adapters/detail/row_major_gemm.hpp"
#include "assay/adapters/onednn/onednn.hpp"
#include "assay/kernels/kernel.hpp"

namespace assay::inline v0 {

namespace detail {

template <Format T>
[[nodiscard]] constexpr dnnl::memory::data_type onednn_type() {
  if constexpr (std::is_same_v<T, float32>) return dnnl::memory::data_type::f32;
  if constexpr (std::is_same_v<T, float16>) return dnnl::memory::data_type::f16;
  if constexpr (std::is_same_v<T, bfloat16>) return dnnl::memory::data_type::bf16;
}

/// A matrix, or a batch of them where `batch` is above one.
template <class T>
[[nodiscard]] dnnl::memory::desc onednn_descriptor(const OperandView<T>& operand, Index batch) {
  using Dims = dnnl::memory::dims;
  constexpr auto type = onednn_type<std::remove_const_t<T>>();
  if (batch == 1) return {Dims{operand.rows, operand.columns}, type, Dims{operand.row_stride, operand.column_stride}};
  return {Dims{batch, operand.rows, operand.columns}, type,
          Dims{operand.batch_stride, operand.row_stride, operand.column_stride}};
}

template <class T>
[[nodiscard]] dnnl::memory onednn_memory(const OperandView<T>& operand, Index batch, const dnnl::engine& engine) {
  return {onednn_descriptor(operand, batch), engine, const_cast<std::remove_const_t<T>*>(operand.data)};
}

/// α is a scale of the product, β a sum post-op: both are applied to the f32 accumulator, before the output's rounding.
template <Format Input, Format Output>
void onednn_matmul(const RowMajorGemm<Input, Output>& gemm, Index batch, float alpha, float beta) {
  const dnnl::engine engine(dnnl::engine::kind::cpu, 0);
  dnnl::stream stream(engine);
  dnnl::primitive_attr attributes;
  std::unordered_map<int, dnnl::memory> arguments = {{DNNL_ARG_SRC, onednn_memory(gemm.a, batch, engine)},
                                                     {DNNL_ARG_WEIGHTS, onednn_memory(gemm.b, batch, engine)},
                                                     {DNNL_ARG_DST, onednn_memory(gemm.c, batch, engine)}};
  if (alpha != 1) {
#if DNNL_VERSION_MAJOR >= 3
    attributes.set_scales_mask(DNNL_ARG_WEIGHTS, 0);
    const dnnl::memory::desc scale({1}, dnnl::memory::data_type::f32, dnnl::memory::dims{1});
    arguments.emplace(DNNL_ARG_ATTR_SCALES | DNNL_ARG_WEIGHTS, dnnl::memory(scale, engine, &alpha));
#else
    attributes.set_output_scales(0, {alpha});
#endif
  }
  if (beta != 0) {
    dnnl::post_ops sum;
    sum.append_sum(beta);
    attributes.set_post_ops(sum);
  }
  const auto a = onednn_descriptor(gemm.a, batch);
  const auto b = onednn_descriptor(gemm.b, batch);
  const auto c = onednn_descriptor(gemm.c, batch);
#if DNNL_VERSION_MAJOR >= 3
  const dnnl::matmul::primitive_desc description(engine, a, b, c, attributes);
#else
  const dnnl::matmul::primitive_desc description(dnnl::matmul::desc(a, b, c), attributes, engine);
#endif
  dnnl::matmul(description).execute(stream, arguments);
  stream.wait();
}

[[nodiscard]] inline Failure onednn_failure(const dnnl::error& error, const char* input, const char* output) {
  const std::string what = "oneDNN " + OneDnn::version() + ", matmul " + input + " → " + output + ": " + error.what();
  if (error.status == dnnl_unimplemented)
    return failure(ErrorKind::unsupported, what + " (not implemented for this processor or problem)");
  if (error.status == dnnl_out_of_memory) return failure(ErrorKind::out_of_memory, what);
  if (error.status == dnnl_invalid_arguments) return failure(ErrorKind::invalid, what);
  return failure(ErrorKind::device, what + " (status " + std::to_string(static_cast<int>(error.status)) + ")");
}

/// oneDNN's matmul: f32 sums; α and β are rounded to f32. An empty C is unsupported, since 2.6 refuses to execute it
/// and crashes where β is not 0; so is k = 0, since to oneDNN a tensor without elements makes the whole primitive a
/// no-op, which leaves C as it was.
template <Format Input, Format Output>
struct OneDnnGemm {
  static constexpr bool available = true;

  static Result<void> run(OneDnn&, OneDnn::Stream&, const GemmProblem& problem,
                          const GemmArguments<Input, Input, Output>& arguments) {
    const auto gemm = row_major_gemm(problem, arguments);
    if (!gemm) return gemm.propagate();
    const auto alpha = gemm_scalar<float32>("oneDNN", "alpha", problem.alpha);
    if (!alpha) return alpha.propagate();
    const auto beta = gemm_scalar<float32>("oneDNN", "beta", problem.beta);
    if (!beta) return beta.propagate();
    if (problem.m == 0 || problem.n == 0 || problem.batch == 0)
      return failure(ErrorKind::unsupported,
                     "oneDNN is not asked for an empty C: 2.6 refuses to execute it, and divides by zero when it plans "
                     "one with beta");
    if (problem.k == 0)
      return failure(ErrorKind::unsupported, "oneDNN leaves C unwritten where k = 0; C = beta·C is not offered");
    try {
      onednn_matmul(gemm.value(), problem.batch, alpha.value(), beta.value());
    } catch (const dnnl::error& error) {
      return onednn_failure(error, FormatTraits<Input>::name(), FormatTraits<Output>::name());
    } catch (const std::bad_alloc&) {
      return failure(ErrorKind::out_of_memory, "oneDNN's matmul ran out of host memory");
    }
    return {};
  }
};

}  // namespace detail

template <>
struct kernel<OneDnn, Gemm<float32, float32, float32, float32>> : detail::OneDnnGemm<float32, float32> {};
template <>
struct kernel<OneDnn, Gemm<bfloat16, bfloat16, float32, float32>> : detail::OneDnnGemm<bfloat16, float32> {};
template <>
struct kernel<OneDnn, Gemm<bfloat16, bfloat16, float32, bfloat16>> : detail::OneDnnGemm<bfloat16, bfloat16> {};
template <>
struct kernel<OneDnn, Gemm<float16, float16, float32, float32>> : detail::OneDnnGemm<float16, float32> {};
template <>
struct kernel<OneDnn, Gemm<float16, float16, float32, float16>> : detail::OneDnnGemm<float16, float16> {};

}  // namespace assay::inline v0
