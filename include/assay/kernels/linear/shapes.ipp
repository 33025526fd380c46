#pragma once

#include "assay/kernels/linear/shapes.hpp"

#include "assay/core/config.hpp"

namespace assay::inline v0::detail {

ASSAY_DETAIL_HEADER_INLINE LinearProblem& LinearShapes::add(Index m, Index n, Index k, const Fills& fills, bool large) {
  LinearProblem problem;
  problem.m = m;
  problem.n = n;
  problem.k = k;
  problem.a.format = problem.b.format = problem.output = format;
  shapes.push_back({problem, fills, large});
  return shapes.back().problem;
}

ASSAY_DETAIL_HEADER_INLINE void LinearShapes::add_int8(const ElementFormat& a, const ElementFormat& b) {
  const bool raw = format == element_format<float32>();
  const auto typed = [&](Index m, Index n, Index k, const Fills& fills, LinearGranularity zero_a,
                         LinearGranularity zero_b, bool large = false) -> LinearProblem& {
    LinearProblem& problem = add(m, n, k, fills, large);
    problem.a.format = a;
    problem.b.format = b;
    problem.a.zero_points = zero_a;
    problem.b.zero_points = zero_b;
    problem.output = element_format<std::int32_t>();
    if (raw) return problem;
    problem.output = format;
    problem.a.scales = LinearGranularity::tensor;
    problem.b.scales = LinearGranularity::vector;
    return problem;
  };
  using enum LinearGranularity;
  if (raw) {
    typed(16, 32, 64, integers, none, none);
    typed(33, 17, 67, {normal, extreme, constant}, tensor, none);
    typed(9, 23, 130, {normal, extreme, constant}, tensor, tensor);
    typed(21, 35, 31, {normal, extreme}, vector, vector);
    typed(7, 65, 129, {extreme, uniform}, none, none).transpose_b = true;
    typed(3, 9, 1031, {constant, extreme, normal}, none, tensor).transpose_b = true;
    typed(8, 8, 0, {normal}, tensor, none);
    typed(0, 8, 8, {normal}, none, none);
    typed(8, 0, 8, {normal}, none, none);
    typed(12, 40, 768, {normal}, tensor, none);  // of a BERT layer
    typed(128, 3072, 768, {normal}, tensor, none, true);
    return;
  }
  typed(16, 32, 64, integers, none, none);
  typed(33, 17, 67, {normal, constant}, tensor, none).bias = true;
  LinearProblem& dynamic = typed(10, 24, 100, {normal, extreme}, vector, none);
  dynamic.a.scales = vector;
  dynamic.transpose_b = true;
  for (const LinearActivation activation : {LinearActivation::relu, LinearActivation::gelu, LinearActivation::silu}) {
    LinearProblem& problem = typed(14, 18, 80, {normal}, tensor, none);
    problem.bias = true;
    problem.activation = activation;
    problem.residual = activation == LinearActivation::relu;
  }
  for (const ElementFormat& output : {element_format<std::int8_t>(), element_format<std::uint8_t>()}) {
    LinearProblem& problem = typed(16, 30, 96, {normal, extreme}, tensor, none);
    problem.bias = true;
    problem.output_scaled = true;
    problem.output = output;
  }
}

ASSAY_DETAIL_HEADER_INLINE void LinearShapes::add_fused() {
  if (first_round) {
    LinearProblem& problem = add(12, 20, 40, {normal, exact_integer});
    problem.bias = problem.residual = true;
    problem.activation = LinearActivation::gelu;
    add(8, 12, 32, {normal}).activation = LinearActivation::swiglu;
    LinearProblem& scaled = add(9, 11, 20, {normal});
    scaled.a.scales = scaled.b.scales = LinearGranularity::vector;
    LinearProblem& quantized = add(10, 16, 33, {normal});
    quantized.output_scaled = true;
    quantized.output = element_format<std::int8_t>();
    return;
  }
  using enum LinearActivation;
  add(24, 40, 64, floats).bias = true;
  for (const LinearActivation activation : {relu, gelu, gelu_tanh, silu, swiglu}) {
    LinearProblem& problem = add(
        17, 33, 100, activation == relu ? Fills{normal, uniform, special, extreme} : Fills{normal, uniform, special});
    problem.activation = activation;
    problem.bias = true;
    LinearProblem& fused = add(9, 65, 71, core);
    fused.activation = activation;
    fused.residual = fused.transpose_b = true;
    LinearProblem& quantized = add(16, 48, 64, {normal});
    quantized.activation = activation;
    quantized.output_scaled = true;
    quantized.output =
        activation == silu || activation == swiglu ? element_format<float8_e4m3fn>() : element_format<std::int8_t>();
  }
  add(1, 96, 320, core).bias = true;  // one token
  add(31, 1, 64, {normal}).residual = true;
  LinearProblem& scaled = add(20, 30, 50, core);
  scaled.a.scales = scaled.b.scales = LinearGranularity::vector;
  scaled.bias = true;
  for (const bool quantized : {false, true}) {  // e4m3 with a scale for each row and column
    LinearProblem& small = add(16, 24, 128, {normal, exact_integer, special});
    small.a.format = small.b.format = element_format<float8_e4m3fn>();
    small.a.scales = quantized ? LinearGranularity::tensor : LinearGranularity::vector;
    small.b.scales = LinearGranularity::vector;
    small.transpose_b = true;
    small.output_scaled = quantized;
    if (quantized) small.output = element_format<float8_e4m3fn>();
  }
  add(0, 8, 8, {normal}).bias = true;
  LinearProblem& empty = add(8, 8, 0, {normal});
  empty.bias = empty.residual = true;
  LinearProblem& llama = add(8, 172, 512, {normal});  // a 64th and an 8th of Llama 2 7B's feed-forward
  llama.activation = swiglu;
  LinearProblem& whole = add(512, 11008, 4096, {normal}, true);
  whole.activation = swiglu;
}

ASSAY_DETAIL_HEADER_INLINE void LinearShapes::add_grouped() {
  const auto grouped = [&](Index m, Index n, Index k, Index groups, GroupSizes sizes, const Fills& fills,
                           bool large = false) -> LinearProblem& {
    LinearProblem& problem = add(m, n, k, fills, large);
    problem.groups = groups;
    problem.group_sizes = sizes;
    return problem;
  };
  using enum GroupSizes;
  if (first_round) {
    grouped(27, 10, 24, 8, ragged, {normal, exact_integer}).transpose_b = true;
    return;
  }
  for (const GroupSizes sizes : {even, ragged, one}) {
    grouped(54, 20, 32, 8, sizes, {normal, exact_integer, special, uniform}).transpose_b = true;
    grouped(33, 17, 65, 8, sizes, core);
    grouped(16, 8, 40, 5, sizes, {normal}).activation = LinearActivation::swiglu;
  }
  grouped(5, 24, 48, 16, even, core);  // more experts than tokens
  grouped(40, 16, 64, 1, even, {normal});
  grouped(96, 6, 20, 64, ragged, {normal});  // many experts
  grouped(0, 16, 16, 4, even, {normal});
  grouped(64, 28, 96, 8, ragged, floats).transpose_b = true;
  LinearProblem& fused = grouped(30, 22, 56, 4, even, core);
  fused.bias = fused.residual = true;
  LinearProblem& fp8 = grouped(40, 24, 256, 8, ragged, {normal, exact_integer, special});
  fp8.transpose_b = true;
  block_scale(fp8, fp8_1x128(), fp8_blocks("fp8_16x128", 16, 128));
  LinearProblem& mixtral = grouped(128, 14336, 4096, 8, ragged, {normal}, true);
  mixtral.transpose_b = true;
}

ASSAY_DETAIL_HEADER_INLINE void LinearShapes::add_scaled() {
  const auto scaled = [&](Index m, Index n, Index k, const BlockScaling& a, const BlockScaling& b, const Fills& fills,
                          bool large = false) -> LinearProblem& {
    LinearProblem& problem = add(m, n, k, fills, large);
    block_scale(problem, a, b);
    return problem;
  };
  if (first_round) {
    scaled(12, 14, 96, mxfp8_e4m3(), mxfp8_e4m3(), {normal, exact_integer});
    scaled(5, 8, 100, mxfp8_e4m3(), mxfp8_e4m3(), {normal});
    scaled(9, 16, 64, nvfp4(), nvfp4(), {normal, exact_integer});
    const BlockScaling tiles = mxfp4().in_order(ScaleOrder::tiles_128x4);
    scaled(35, 6, 64, tiles, tiles, {normal});
    scaled(4, 6, 1024, fp8_1x128(), fp8_blocks("fp8_16x128", 16, 128), {uniform});
    scaled(8, 34, 256, fp8_1x128(), fp8_blocks("fp8_16x128", 16, 128), {normal, uniform, exact_integer});
    return;
  }
  const BlockScaling tiled = mxfp8_e4m3().in_order(ScaleOrder::tiles_128x4),
                     tiled_nvfp4 = nvfp4().in_order(ScaleOrder::tiles_128x4);
  for (const BlockScaling& scheme : {mxfp8_e4m3(), mxfp8_e5m2(), mxfp6_e2m3(), mxfp6_e3m2(), mxfp4(), mxint8()}) {
    scaled(24, 20, 64, scheme, scheme, codes);
    scaled(7, 33, 100, scheme, scheme, {normal, exact_integer});  // the last blocks are partly filled
  }
  scaled(16, 24, 128, nvfp4(), nvfp4(), codes);
  scaled(11, 13, 56, nvfp4(), nvfp4(), {normal, exact_integer});
  scaled(20, 24, 128, mxfp8_e4m3(), mxfp4(), codes);
  scaled(130, 12, 160, tiled, tiled, {normal, exact_integer});
  scaled(12, 140, 96, tiled_nvfp4, tiled_nvfp4, {normal, exact_integer});
  scaled(16, 160, 256, fp8_1x128(), fp8_128x128(), codes);
  scaled(5, 130, 300, fp8_1x128(), fp8_128x128(), {normal, exact_integer});
  LinearProblem& quantized = scaled(16, 24, 64, mxfp8_e4m3(), mxfp8_e4m3(), {normal});
  quantized.bias = quantized.output_scaled = true;
  quantized.output = element_format<float8_e4m3fn>();
  quantized.activation = LinearActivation::silu;
  scaled(6, 16, 2048, fp8_1x128(), fp8_128x128(), {normal, uniform});
  scaled(0, 8, 64, mxfp4(), mxfp4(), {normal});
  scaled(512, 7168, 2048, fp8_1x128(), fp8_128x128(), {normal}, true);  // DeepSeek-V3, one expert
}

ASSAY_DETAIL_HEADER_INLINE void LinearShapes::add_weight_only() {
  const auto weights = [&](Index m, Index n, Index k, BlockScaling scheme, const char* name, Index group,
                           const Fills& fills, bool large = false) -> LinearProblem& {
    LinearProblem& problem = add(m, n, k, fills, large);
    scheme.name = name;
    scheme.block_columns = group;
    if (format.bytes == 2)
      scheme.scale = format == element_format<bfloat16>() ? code_format<bfloat16>() : code_format<float16>();
    problem.b.storage = LinearStorage::block_scaled;
    problem.b.scheme = scheme;
    problem.transpose_b = true;
    problem.dequantized = format;
    return problem;
  };
  if (first_round) {
    weights(6, 20, 96, uint4_group128(), "uint4_group32", 32, {normal, exact_integer});
    return;
  }
  weights(16, 24, 256, uint4_group128(), "uint4_group128", 128, codes);
  weights(1, 48, 300, uint4_group128(), "uint4_group128", 128, {normal, uniform, exact_integer, extreme});
  weights(13, 20, 96, uint4_group128(), "uint4_group32", 32, codes);
  weights(12, 18, 192, uint4_group128(), "uint4_group64", 64, codes).expanded_zero_points = true;
  weights(16, 24, 256, int4_group128(), "int4_group128", 128, codes);
  weights(9, 31, 130, int4_group128(), "int4_group64", 64, {normal, uniform, exact_integer});
  BlockScaling high_first = uint4_group128();
  high_first.packing = CodePacking::high_first;
  weights(8, 16, 128, high_first, "uint4_group64_high_first", 64, {normal, exact_integer});
  weights(8, 24, 192, nf4_blocks(), "nf4_64", 64, {normal, uniform, special});
  LinearProblem& fused = weights(7, 22, 128, uint4_group128(), "uint4_group128", 128, {normal});
  fused.bias = true;
  fused.activation = LinearActivation::swiglu;
  weights(4, 8, 0, uint4_group128(), "uint4_group128", 128, {normal});
  weights(16, 4096, 4096, uint4_group128(), "uint4_group128", 128, {normal}, true);
}

ASSAY_DETAIL_HEADER_INLINE void LinearShapes::add_sparse() {
  const auto sparse = [&](Index m, Index n, Index k, const Fills& fills, bool large = false) -> LinearProblem& {
    LinearProblem& problem = add(m, n, k, fills, large);
    problem.b.storage = LinearStorage::sparse;
    problem.transpose_b = true;
    return problem;
  };
  if (first_round) {
    sparse(11, 14, 36, {normal, exact_integer});
    return;
  }
  sparse(24, 32, 64, floats);
  sparse(17, 33, 132, core);
  sparse(1, 40, 256, {normal, uniform});
  sparse(5, 7, 4, core);
  sparse(8, 8, 0, {normal});
  LinearProblem& fused = sparse(16, 24, 96, core);
  fused.bias = true;
  fused.activation = LinearActivation::relu;
  sparse(256, 4096, 4096, {normal}, true);
}

ASSAY_DETAIL_HEADER_INLINE void LinearShapes::add_all() {
  const auto add_integers = [&] {
    const ElementFormat s8 = element_format<std::int8_t>(), u8 = element_format<std::uint8_t>();
    if (first_round) return add_int8(u8, s8);
    add_int8(s8, s8);
    if (format == element_format<float32>()) {
      add_int8(s8, u8);
      add_int8(u8, u8);
    }
  };
  for (const bool first : {true, false}) {
    first_round = first;
    add_fused();
    add_grouped();
    add_scaled();
    add_weight_only();
    add_sparse();
    add_integers();
  }
}

}  // namespace assay::inline v0::detail
