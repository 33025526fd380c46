#include "assay/validators/gemm_shapes.hpp"

#include <set>
#include <string>

#include "testing/catch.hpp"

using namespace assay;

TEST_CASE("the default shapes are valid, named apart, and small unless tagged") {
  std::set<std::string> names;
  for (const GemmShape& shape : default_gemm_shapes()) {
    const std::string name = name_of(shape.problem);
    INFO(name);
    CHECK(names.insert(name).second);
    CHECK(lay_out(shape.problem).has_value());
    CHECK(!shape.fills.empty());
    CHECK(std::set<FillKind>(shape.fills.begin(), shape.fills.end()).size() == shape.fills.size());
    const double work = static_cast<double>(shape.problem.batch) * static_cast<double>(shape.problem.m) *
                        static_cast<double>(shape.problem.n) * static_cast<double>(shape.problem.k);
    CHECK((shape.large || work <= 1.2e8));
  }
}

TEST_CASE("the default shapes have what breaks kernels") {
  bool transposed[2][2][2] = {}, empty = false, no_batch = false, no_terms = false, batched = false, strided = false,
       beta = false, alpha = false, no_alpha = false;
  std::set<Index> depths;
  for (const GemmShape& shape : default_gemm_shapes()) {
    const GemmProblem& problem = shape.problem;
    transposed[problem.order == StorageOrder::row_major][problem.transpose_a][problem.transpose_b] = true;
    empty = empty || problem.m == 0 || problem.n == 0;
    no_batch = no_batch || problem.batch == 0;
    no_terms = no_terms || problem.k == 0;
    batched = batched || problem.batch > 1;
    strided = strided || problem.leading_dimension_c > problem.n;
    beta = beta || problem.beta != 0;
    alpha = alpha || problem.alpha == 0.75;
    no_alpha = no_alpha || problem.alpha == 0;
    if (shape.fills.size() == all_fill_kinds.size()) depths.insert(problem.k);
  }
  for (auto& order : transposed)
    for (auto& a : order)
      for (bool seen : a) CHECK(seen);
  CHECK((empty && no_batch && no_terms && batched && strided && beta && alpha && no_alpha));
  for (Index k : {1, 3000, 6144, 11008, 14336}) CHECK(depths.count(k) == 1);
}
