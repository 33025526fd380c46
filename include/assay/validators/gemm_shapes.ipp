#pragma once

#include "assay/validators/gemm_shapes.hpp"

#include "assay/core/config.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE std::vector<GemmShape> default_gemm_shapes() {
  using enum FillKind;
  const std::vector<FillKind> all(all_fill_kinds.begin(), all_fill_kinds.end());
  const std::vector<FillKind> core{uniform, normal, exact_integer};
  const std::vector<FillKind> real{uniform, normal};
  const std::vector<FillKind> integers{exact_integer, one_hot};
  std::vector<GemmShape> shapes;
  const auto add = [&](GemmProblem problem, const std::vector<FillKind>& fills, bool large = false) {
    shapes.push_back({problem, fills, large});
  };
  const auto extents = [](Index m, Index n, Index k) {
    GemmProblem problem;
    problem.m = m;
    problem.n = n;
    problem.k = k;
    return problem;
  };

  // squares and their neighbors at the edges of tiles
  add(extents(64, 64, 64), all);
  add(extents(1, 1, 1), all);
  for (Index side : {15, 17, 31, 33, 63, 65, 127, 129}) add(extents(side, side, side), integers);
  add(extents(256, 256, 256), core);
  // tall, wide, thin, prime
  add(extents(1024, 16, 64), core);
  add(extents(16, 1024, 64), core);
  add(extents(1, 256, 512), core);
  add(extents(256, 1, 512), core);
  add(extents(33, 17, 1), all);
  add(extents(31, 37, 41), all);
  add(extents(113, 127, 131), core);
  // empty
  add(extents(0, 8, 8), {normal});
  add(extents(8, 0, 8), {normal});
  add(extents(8, 8, 0), {normal});
  // K of real models
  for (Index k : {3000, 6144, 11008, 14336}) add(extents(32, 48, k), all);
  // Llama-3 8B with 16 tokens: projections into and out of 4096 and 14336 features (columns cut), and BERT base
  add(extents(16, 256, 4096), core);
  add(extents(16, 112, 14336), real);
  add(extents(128, 192, 768), core);
  add(extents(128, 96, 3072), real);
  add(extents(16, 4096, 4096), real, true);
  add(extents(16, 14336, 4096), real, true);
  add(extents(16, 4096, 14336), real, true);
  add(extents(512, 3072, 768), real, true);
  // transposes in both storage orders
  for (StorageOrder order : {StorageOrder::row_major, StorageOrder::column_major}) {
    for (int transposes = order == StorageOrder::row_major ? 1 : 0; transposes < 4; ++transposes) {
      GemmProblem problem = extents(65, 66, 67);
      problem.order = order;
      problem.transpose_a = (transposes & 1) != 0;
      problem.transpose_b = (transposes & 2) != 0;
      add(problem, core);
      problem.leading_dimension_a = 80;
      problem.leading_dimension_b = 96;
      problem.leading_dimension_c = 71;
      add(problem, integers);
    }
  }
  // batches with data of their own, back to back and spaced
  GemmProblem batched = extents(24, 40, 56);
  batched.batch = 5;
  add(batched, all);
  batched.batch_stride_a = 2000;
  batched.batch_stride_b = 2500;
  batched.batch_stride_c = 1003;
  add(batched, core);
  GemmProblem heads = extents(64, 64, 48);  // attention scores: q·kᵀ per head
  heads.batch = 12;
  heads.transpose_b = true;
  add(heads, real);
  GemmProblem no_batches = extents(8, 8, 8);
  no_batches.batch = 0;
  add(no_batches, {normal});
  // α and β
  struct Scaling {
    double alpha, beta;
  };
  for (const Scaling& scaling : {Scaling{1, 1}, Scaling{-1, 2}, Scaling{2, 0}, Scaling{0.75, 0.5}, Scaling{0, 1},
                                 Scaling{0, 0}, Scaling{-1.5, -1}}) {
    GemmProblem problem = extents(48, 40, 300);
    problem.alpha = scaling.alpha;
    problem.beta = scaling.beta;
    add(problem, core);
  }
  GemmProblem accumulate = extents(32, 48, 3000);
  accumulate.beta = 1;
  add(accumulate, all);
  GemmProblem no_products = extents(8, 8, 0);
  no_products.beta = 0.5;
  add(no_products, {normal});
  return shapes;
}

}  // namespace assay::inline v0
