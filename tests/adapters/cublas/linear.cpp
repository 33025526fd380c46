#include "assay/adapters/cublas/linear.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "adapters/cublas/cublaslt_interpreter.hpp"
#include "assay/backends/host.hpp"
#include "testing/catch.hpp"

using namespace assay;
using assay::testing::contains;
using assay::testing::read;
using P = LinearOperands;

namespace {

/// A layer in host memory, its numbers small integers.
struct Layer {
  LinearProblem problem;
  std::vector<std::vector<unsigned char>> memory;
  OperandArray operands;

  explicit Layer(const LinearProblem& given) : problem(given) {
    const auto specs = linear_operands(problem);
    REQUIRE(specs);
    operands.count = P::count;
    for (std::size_t position = 0; position < specs.value().size(); ++position) {
      const OperandSpec& spec = specs.value()[position];
      if (!spec.present) continue;
      Operand& operand = operands[static_cast<int>(position)];
      operand.format = spec.format;
      operand.rank = static_cast<int>(spec.extents.size());
      Index stride = 1;
      for (int d = operand.rank - 1; d >= 0; --d) {
        operand.extents[d] = spec.extents[static_cast<std::size_t>(d)];
        operand.strides[d] = stride;
        stride *= std::max<Index>(operand.extents[d], 1);
      }
      memory.emplace_back(static_cast<std::size_t>(stride * spec.format.bytes) + 256);
      const auto start = reinterpret_cast<std::uintptr_t>(memory.back().data());
      operand.data = memory.back().data() + ((start + 255) / 256 * 256 - start);
      const bool scales = position == P::a_scales || position == P::b_scales;
      for (Index e = 0; e < operand.size(); ++e)
        operand.store(e, scales ? std::ldexp(1, static_cast<int>((e + static_cast<Index>(position * position)) % 4))
                                : static_cast<double>((e * 7 + static_cast<Index>(position) * 3) % 5 - 2));
    }
  }
};

/// What cuBLASLt's descriptors tell to do, done on the host.
std::vector<double> interpreted(const Layer& layer) {
  const auto product = detail::cublaslt_linear(layer.problem, layer.operands);
  INFO((product ? "" : product.error().message));
  REQUIRE(product);
  REQUIRE(detail::cublaslt_refusal(product.value(), 90) == "");
  const auto plan = detail::CublasLtPlan::make(product.value());
  REQUIRE(plan);
  const detail::BlasGemm gemm = testing::described(plan.value());
  const auto operation = plan.value().operation();
  REQUIRE(gemm.m == layer.problem.columns_of_b());
  REQUIRE(gemm.n == layer.problem.m);
  REQUIRE(gemm.k == layer.problem.k);
  const ElementFormat &first = layer.problem.b.format, &second = layer.problem.a.format, &output = layer.problem.output;
  const auto* bias = read<const void*>(operation, CUBLASLT_MATMUL_DESC_BIAS_POINTER);
  const auto* scale_a = static_cast<const float*>(read<const void*>(operation, CUBLASLT_MATMUL_DESC_A_SCALE_POINTER));
  const auto* scale_b = static_cast<const float*>(read<const void*>(operation, CUBLASLT_MATMUL_DESC_B_SCALE_POINTER));
  const bool by_vectors =
      read<std::int32_t>(operation, CUBLASLT_MATMUL_DESC_A_SCALE_MODE) == CUBLASLT_MATMUL_MATRIX_SCALE_OUTER_VEC_32F;
  const auto epilogue = read<std::uint32_t>(operation, CUBLASLT_MATMUL_DESC_EPILOGUE);
  const bool integers = product.value().compute == CUBLAS_COMPUTE_32I;
  float beta = 0;
  if (!integers) std::memcpy(&beta, product.value().beta.bytes, sizeof beta);
  std::vector<double> results(static_cast<std::size_t>(gemm.m * gemm.n));
  for (Index i = 0; i < gemm.m; ++i)
    for (Index j = 0; j < gemm.n; ++j) {
      double sum = 0;
      for (Index p = 0; p < gemm.k; ++p)
        sum += first.load(gemm.a, gemm.transpose_a ? p + i * gemm.lda : i + p * gemm.lda) *
               second.load(gemm.b, gemm.transpose_b ? j + p * gemm.ldb : p + j * gemm.ldb);
      if (scale_a != nullptr) sum *= static_cast<double>(scale_a[by_vectors ? i : 0]);
      if (scale_b != nullptr) sum *= static_cast<double>(scale_b[by_vectors ? j : 0]);
      if ((epilogue & CUBLASLT_EPILOGUE_BIAS) != 0) sum += layer.problem.epilogue_format().load(bias, i);
      if (beta != 0)
        sum +=
            static_cast<double>(beta) *
            output.load(plan.value().added(), i + j * read<std::int64_t>(plan.value().c(), CUBLASLT_MATRIX_LAYOUT_LD));
      if ((epilogue & CUBLASLT_EPILOGUE_RELU) != 0) sum = std::max(sum, 0.0);
      results[static_cast<std::size_t>(j * gemm.m + i)] = output.round(sum);
    }
  return results;
}

/// What Assay's own kernel makes of it.
std::vector<double> computed(Layer& layer) {
  Host host(1);
  auto stream = host.make_stream().value();
  REQUIRE(portable_linear(host, stream, layer.problem, layer.operands));
  std::vector<double> results;
  for (Index e = 0; e < layer.operands[P::output].size(); ++e) results.push_back(layer.operands[P::output].load(e));
  return results;
}

LinearProblem layer_of(const ElementFormat& inputs, const ElementFormat& output) {
  LinearProblem problem;
  problem.m = 5;
  problem.n = 16;
  problem.k = 32;
  problem.transpose_b = true;
  problem.a.format = problem.b.format = inputs;
  problem.output = output;
  return problem;
}

std::string refusal(const LinearProblem& problem) {
  const Layer layer(problem);
  const auto product = detail::cublaslt_linear(layer.problem, layer.operands);
  REQUIRE_FALSE(product);
  CHECK(product.error().kind == ErrorKind::unsupported);
  return product.error().message;
}

const ElementFormat f32 = element_format<float32>(), bf16 = element_format<bfloat16>(),
                    e4m3 = element_format<float8_e4m3fn>(), bytes = element_format<std::int8_t>();

}  // namespace

TEST_CASE("A linear layer reaches cuBLASLt as what it is: weights either way, bias, relu, residual") {
  for (const ElementFormat& inputs : {f32, bf16})
    for (const bool transposed : {false, true})
      for (int fused = 0; fused < 8; ++fused) {
        LinearProblem problem = layer_of(inputs, inputs);
        problem.transpose_b = transposed;
        problem.n = 7;
        problem.bias = (fused & 1) != 0;
        if ((fused & 2) != 0) problem.activation = LinearActivation::relu;
        problem.residual = (fused & 4) != 0;
        if (problem.residual && (fused & 2) != 0) continue;
        Layer layer(problem);
        INFO(formats_of(problem) << " " << name_of(problem));
        const std::vector<double> told = interpreted(layer);
        CHECK(told == computed(layer));
        CHECK(std::any_of(told.begin(), told.end(), [](double value) { return value > 0; }));
      }
}

TEST_CASE("8-bit floats reach cuBLASLt with the factors of their own operand, whole or a row and column each") {
  for (const LinearGranularity granularity :
       {LinearGranularity::none, LinearGranularity::tensor, LinearGranularity::vector}) {
    LinearProblem problem = layer_of(e4m3, bf16);
    problem.b.format = element_format<float8_e5m2>();
    problem.a.scales = problem.b.scales = granularity;
    Layer layer(problem);
    CHECK(interpreted(layer) == computed(layer));
  }
}

TEST_CASE("Products of bytes reach cuBLASLt as int32 sums of int32 scalars") {
  LinearProblem problem = layer_of(bytes, element_format<std::int32_t>());
  Layer layer(problem);
  const auto product = detail::cublaslt_linear(layer.problem, layer.operands).value();
  CHECK(product.compute == CUBLAS_COMPUTE_32I);
  std::int32_t alpha = 0;
  std::memcpy(&alpha, product.alpha.bytes, sizeof alpha);
  CHECK(alpha == 1);
  CHECK(interpreted(layer) == computed(layer));
  problem.k = 30;
  const Layer odd(problem);
  CHECK_THAT(detail::cublaslt_refusal(detail::cublaslt_linear(odd.problem, odd.operands).value(), 90),
             contains("8-bit integers") && contains("multiple of 4 bytes; it is 30"));
}

TEST_CASE("What cuBLASLt has not is refused in words") {
  const auto changed = [](LinearProblem problem, auto change) {
    change(problem);
    return refusal(problem);
  };
  const LinearProblem number = layer_of(bf16, bf16), byte = layer_of(bytes, element_format<std::int32_t>()),
                      eight = layer_of(e4m3, bf16);
  CHECK_THAT(changed(number, [](LinearProblem& problem) { problem.groups = 2; }), contains("groups of rows"));
  CHECK_THAT(changed(number, [](LinearProblem& problem) { problem.activation = LinearActivation::gelu; }),
             contains("epilogue for gelu"));
  CHECK_THAT(changed(number, [](LinearProblem& problem) { problem.activation = LinearActivation::swiglu; }),
             contains("swiglu"));
  CHECK_THAT(
      changed(number,
              [](LinearProblem& problem) { problem.activation = LinearActivation::relu, problem.residual = true; }),
      contains("behind an activation"));
  CHECK_THAT(changed(number, [](LinearProblem& problem) { problem.b.storage = LinearStorage::sparse; }),
             contains("2:4 sparse"));
  CHECK_THAT(changed(number, [](LinearProblem& problem) { problem.a.scales = LinearGranularity::tensor; }),
             contains("8-bit floats only"));
  CHECK_THAT(changed(byte, [](LinearProblem& problem) { problem.a.zero_points = LinearGranularity::tensor; }),
             contains("zero points"));
  CHECK_THAT(changed(byte, [](LinearProblem& problem) { problem.a.format = element_format<std::uint8_t>(); }),
             contains("uint8"));
  CHECK_THAT(changed(eight, [](LinearProblem& problem) { problem.a.scales = LinearGranularity::vector; }),
             contains("one granularity"));
  CHECK_THAT(changed(eight, [](LinearProblem& problem) { problem.output = e4m3; }), contains("saturates"));
  CHECK_THAT(changed(eight, [](LinearProblem& problem) { problem.output = e4m3, problem.output_scaled = true; }),
             contains("reciprocal"));
  CHECK_THAT(changed(eight,
                     [](LinearProblem& problem) {
                       problem.a.storage = problem.b.storage = LinearStorage::block_scaled,
                       problem.a.scheme = problem.b.scheme = fp8_1x128();
                     }),
             contains("fp8_1x128"));
  CHECK_THAT(changed(eight,
                     [](LinearProblem& problem) {
                       problem.a.storage = problem.b.storage = LinearStorage::block_scaled,
                       problem.a.scheme = problem.b.scheme = mxfp8_e4m3();
                     }),
             contains("tiles of 128"));
}

TEST_CASE("MXFP8 with scales in tiles is asked for as such") {
  LinearProblem problem = layer_of(e4m3, bf16);
  problem.a.storage = problem.b.storage = LinearStorage::block_scaled;
  problem.a.scheme = problem.b.scheme = mxfp8_e4m3().in_order(ScaleOrder::tiles_128x4);
  const Layer layer(problem);
  const auto product = detail::cublaslt_linear(problem, layer.operands).value();
  CHECK(product.scale_a.mode == CUBLASLT_MATMUL_MATRIX_SCALE_VEC32_UE8M0);
  CHECK(product.scale_a.factors == layer.operands[P::b_scales].data);
  CHECK(product.scale_b.factors == layer.operands[P::a_scales].data);
  CHECK(product.gemm.lda == 32);
  CHECK_THAT(detail::cublaslt_refusal(product, 90), contains("blocks") && contains("10.0") && contains("9.0"));
  CHECK(detail::cublaslt_refusal(product, 100) == "");
}

TEST_CASE("Sums are promised as tensor cores make them, in short accumulators for 8 bits") {
  CHECK(kernel<CublasLt, Linear>::arithmetic(layer_of(f32, f32)).accumulation.truncating == false);
  CHECK(kernel<CublasLt, Linear>::arithmetic(layer_of(bf16, bf16)).accumulation.truncating);
  CHECK(kernel<CublasLt, Linear>::arithmetic(layer_of(e4m3, bf16)).accumulation.precision == 14);
}
