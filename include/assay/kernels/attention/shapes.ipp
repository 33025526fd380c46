#pragma once

#include "assay/kernels/attention/shapes.hpp"

#include "assay/core/config.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE void deal_pages(AttentionProblem& problem, Index page_size) {
  problem.storage = AttentionStorage::paged;
  problem.page_size = page_size;
  const Index columns = problem.pages_of_sequence();
  problem.pages = problem.batch * columns + 1;
  Index next = problem.pages - 1;
  problem.block_table.assign(static_cast<std::size_t>(problem.batch * columns), -1);
  for (Index b = 0; b < problem.batch; ++b)
    for (Index page = 0; page * page_size < problem.key_lengths[static_cast<std::size_t>(b)]; ++page)
      problem.block_table[static_cast<std::size_t>(b * columns + page)] = next--;
}

ASSAY_DETAIL_HEADER_INLINE std::vector<OperationShape<AttentionProblem>> attention_shapes(const ElementFormat& format) {
  using enum FillKind;
  const std::vector<FillKind> all{normal,    uniform,  log_uniform, constant, exact_integer,
                                  canceling, swamping, special,     subnormal},
      core{normal, exact_integer, swamping, special}, two{normal, special}, finite{normal, exact_integer, swamping};
  std::vector<OperationShape<AttentionProblem>> shapes;
  const auto add = [&](Index batch, Index heads, Index key_heads, Index queries, Index keys, Index depth,
                       const std::vector<FillKind>& fills, bool large = false) -> AttentionProblem& {
    AttentionProblem problem;
    problem.batch = batch;
    problem.heads = heads;
    problem.key_heads = key_heads;
    problem.queries = queries;
    problem.keys = keys;
    problem.depth = problem.value_depth = depth;
    problem.query = problem.key_value = problem.output = problem.weights = format;
    shapes.push_back({problem, fills, large});
    return shapes.back().problem;
  };
  const auto causal = [](AttentionProblem& problem,
                         AttentionAlignment alignment = AttentionAlignment::bottom_right) -> AttentionProblem& {
    problem.causal = true;
    problem.alignment = alignment;
    return problem;
  };
  using enum AttentionAlignment;
  add(1, 2, 2, 16, 16, 16, all);
  add(2, 4, 2, 7, 13, 8, core);  // grouped
  add(1, 6, 1, 5, 9, 16, two);   // multi-query
  for (const AttentionAlignment alignment : {top_left, bottom_right}) {
    causal(add(1, 2, 2, 16, 16, 8, all), alignment);
    causal(add(2, 4, 2, 7, 19, 16, core), alignment);
    causal(add(1, 3, 1, 19, 7, 8, core), alignment);  // more queries than keys: rows that see nothing
    causal(add(1, 2, 1, 11, 17, 8, core), alignment).window_left = 4;
    AttentionProblem& window = add(1, 2, 2, 15, 12, 8, core);
    window.alignment = alignment;
    window.window_left = 3;
    window.window_right = 2;
  }
  causal(add(1, 2, 1, 9, 4, 8, two)).fully_masked = FullyMasked::nan;
  add(1, 1, 1, 1, 1, 1, two);
  add(1, 1, 1, 3, 5, 1, two);
  add(2, 4, 1, 1, 65, 32, core);                  // decoding
  causal(add(1, 1, 1, 3, 700, 16, core));         // many tiles
  add(1, 1, 1, 1, 1021, 16, two);                 // split over keys; prime
  add(1, 2, 1, 4, 40, 40, two).value_depth = 24;  // keys deeper than values, as in DeepSeek's latent attention
  add(1, 2, 2, 8, 12, 33, {normal, canceling}).scale = 1;
  for (const bool is_causal : {false, true}) {
    AttentionProblem& alibi = add(1, 5, 5, 9, 17, 8, core);
    alibi.alibi = true;
    alibi.causal = is_causal;
    AttentionProblem& capped = add(1, 2, 1, 9, 14, 16, finite);
    capped.soft_cap = is_causal ? 2 : 20;
    capped.scale = 1;
    capped.causal = is_causal;
  }
  add(2, 2, 2, 8, 11, 8, finite).additive_mask = AdditiveMask::shared;
  add(2, 2, 1, 8, 11, 8, finite).additive_mask = AdditiveMask::per_head;
  AttentionProblem& both = add(1, 2, 1, 8, 11, 8, finite);
  both.additive_mask = AdditiveMask::shared;
  both.soft_cap = 3;
  both.fully_masked = FullyMasked::nan;
  AttentionProblem& ragged = add(4, 2, 1, 5, 13, 8, core);
  ragged.key_lengths = {0, 5, 13, 8};
  causal(add(3, 2, 1, 4, 13, 8, core)).key_lengths = {2, 13, 9};
  for (const bool is_causal : {false, true}) {
    AttentionProblem& packed = add(4, 4, 2, 0, 0, 16, core);
    packed.storage = AttentionStorage::packed;
    packed.query_lengths = {5, 0, 9, 3};
    packed.key_lengths = {8, 3, 9, 0};
    packed.causal = is_causal;
    packed.alibi = is_causal;
    AttentionProblem& paged = add(4, 4, 2, is_causal ? 3 : 1, 16, 16, core);
    paged.key_lengths = {0, 1, 11, 16};
    paged.causal = is_causal;
    deal_pages(paged, is_causal ? 4 : 5);
    if (is_causal) paged.window_left = 6;
  }
  for (const ElementFormat& narrow : {element_format<float8_e4m3fn>(), element_format<float8_e5m2>()})
    for (const KeyValueScale scale : {KeyValueScale::per_tensor, KeyValueScale::per_head}) {
      AttentionProblem& quantized = add(2, 4, 2, 2, 23, 16, two);
      quantized.key_value = narrow;
      quantized.key_value_scale = scale;
      quantized.key_lengths = {23, 9};
      if (scale == KeyValueScale::per_head) deal_pages(quantized, 8);
    }
  if (!(format == element_format<float32>())) {
    causal(add(1, 2, 2, 12, 40, 16, core)).scores = format;
    AttentionProblem& capped = add(1, 2, 2, 6, 30, 16, two);
    capped.scores = format;
    capped.soft_cap = 10;
  } else {
    causal(add(1, 2, 2, 12, 40, 16, core)).scores = element_format<bfloat16>();
  }
  add(0, 2, 2, 4, 4, 8, {normal});
  add(1, 2, 2, 0, 4, 8, {normal});
  add(1, 2, 1, 4, 0, 8, {normal});
  add(1, 2, 1, 1, 300, 128, {normal});  // two heads of Llama 3
  add(1, 1, 1, 24, 197, 64, {normal});  // some rows of ViT-B/16
  causal(add(1, 16, 16, 2048, 2048, 128, {normal}, true));
  causal(add(1, 32, 8, 512, 4096, 128, {normal}, true));                     // Llama 3 8B, a chunk of its prefill
  causal(add(1, 32, 8, 1024, 1024, 128, {normal}, true)).window_left = 511;  // as Mistral 7B, cut
  causal(add(1, 8, 4, 512, 2048, 256, {normal}, true)).soft_cap = 50;        // Gemma 2
  AttentionProblem& serving = add(16, 32, 8, 1, 1024, 128, {normal}, true);
  for (Index b = 0; b < 16; ++b) serving.key_lengths.push_back(64 * b + 17);
  deal_pages(serving, 16);
  return shapes;
}

}  // namespace assay::inline v0
