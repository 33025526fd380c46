// components: openblas
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>
#include <type_traits>
#include <vector>

#include "assay/adapters/openblas/gemm.hpp"
#include "assay/kernels/gemm/fill.hpp"
#include "assay/kernels/gemm/residual.hpp"
#include "assay/tensor/fill_tensor.hpp"
#include "assay/tensor/tensor.hpp"
#include "timing.hpp"

using namespace assay;

namespace {

using Sgemm = Gemm<float32, float32, float32, float32>;

/// The operands of one GEMM, and the time of its residual check.
template <class Op>
struct Operands {
  GemmProblem problem;
  Host host;
  Host::Stream stream;
  std::vector<typename Op::FormatA> a;
  std::vector<typename Op::FormatB> b;
  std::vector<typename Op::FormatC> c;

  Operands(Index size, StorageOrder order) : a(static_cast<std::size_t>(size * size)), b(a.size()), c(a.size()) {
    problem.m = problem.n = problem.k = size;
    problem.order = order;
    for (std::size_t i = 0; i < a.size(); ++i) {
      a[i] = encode<typename Op::FormatA>(static_cast<double>(i * 2654435761u % 1021) / 511 - 1);
      b[i] = encode<typename Op::FormatB>(static_cast<double>(i * 2246822519u % 1019) / 509 - 1);
    }
  }
  [[nodiscard]] typename Op::Arguments arguments() {
    const Index size = problem.m, row = problem.order == StorageOrder::row_major ? size : 1,
                column = problem.order == StorageOrder::row_major ? 1 : size;
    const auto view = [&](auto* data) {
      return StridedView<std::remove_pointer_t<decltype(data)>, 3>{data, {1, size, size}, {size * size, row, column}};
    };
    using A = typename Op::FormatA;
    using B = typename Op::FormatB;
    return {view(static_cast<const A*>(a.data())), view(static_cast<const B*>(b.data())), view(c.data())};
  }
  double check() {
    const GemmBound bound = gemm_bound(problem, accumulation_in<typename Op::Accumulator>(), RoundingModel::statistical,
                                       problem.k, gemm_needs_double_double<Op>)
                                .bound;
    return seconds_of([&] {
      auto residual = gemm_residual<Op>(host, stream, problem, arguments(), {}, bound);
      if (!residual) std::exit(1);
    });
  }
};

template <class Op>
void measure(Index size, StorageOrder order, int runs) {
  Operands<Sgemm> work(size, StorageOrder::row_major);
  Operands<Op> checked(size, order);
  OpenBlas blas;
  auto stream = blas.make_stream();
  const auto multiply = [&] {
    return seconds_of([&] {
      if (!kernel<OpenBlas, Sgemm>::run(blas, stream.value(), work.problem, work.arguments())) std::exit(1);
    });
  };
  std::vector<double> gemm, check;
  multiply(), checked.check();
  for (int run = 0; run < runs; ++run) {
    gemm.push_back(multiply());
    if (std::getenv("OPENBLAS_THREAD_TIMEOUT") == nullptr)
      std::this_thread::sleep_for(std::chrono::milliseconds(150));  // its threads spin that long
    check.push_back(checked.check());
  }
  const double one = median(gemm), other = median(check);
  const double bytes = static_cast<double>(size) * static_cast<double>(size) *
                       (sizeof(typename Op::FormatA) + sizeof(typename Op::FormatB) + sizeof(typename Op::FormatC));
  std::printf("| %lld | %s | %s | %.2f | %.3f | %.3f | %.1f |\n", static_cast<long long>(size), Op::formats().c_str(),
              order == StorageOrder::row_major ? "row" : "column", one * 1e3, other * 1e3, other / one,
              bytes / other * 1e-9);
}

}  // namespace

/// bench_gemm_residual [RUNS]: medians of RUNS (15) interleaved runs of sgemm and of the residual check.
int main(int count, char** arguments) {
  const int runs = count > 1 ? std::max(1, std::atoi(arguments[1])) : 15;
  std::puts("| n | formats | order | sgemm ms | residual ms | residual / sgemm | GB/s |");
  std::puts("| --- | --- | --- | --- | --- | --- | --- |");
  for (Index size : {Index{1024}, Index{2048}}) {
    for (StorageOrder order : {StorageOrder::row_major, StorageOrder::column_major}) {
      measure<Sgemm>(size, order, runs);
      measure<Gemm<assay::bfloat16, assay::bfloat16, float32, assay::bfloat16>>(size, order, runs);
      measure<Gemm<float16, float16, float32, float16>>(size, order, runs);
      measure<Gemm<float64, float64, float64, float64>>(size, order, runs);
    }
  }
}
