// Matrix products of 8192³: the reference beside cuBLAS's dgemm; validation, full and by residuals, beside the bf16
// product of cuBLASLt that is validated.
#include <cstddef>

#include "assay/adapters/cublas/gemm.hpp"
#include "assay/kernels/gemm/reference.hpp"
#include "assay/tensor/fill.hpp"
#include "assay/tensor/fill_tensor.hpp"
#include "assay/validators/check_gemm.hpp"
#include "assay/validators/check_gemm_residual.hpp"
#include "gpu_bench.hpp"

namespace {

using namespace assay;
using namespace gpu_bench;

using Bf16 = Gemm<bfloat16, bfloat16, float32, bfloat16>;
using F64 = Gemm<float64, float64, float64, float64>;

constexpr Index side = 8192;
constexpr double operations = 2.0 * side * side * side;

GemmProblem problem() {
  GemmProblem square;
  square.m = square.n = square.k = side;
  return square;
}

template <class T>
StridedView<T, 3> square_view(T* data) {
  return {data, {1, side, side}, {side * side, side, 1}};
}

/// Filled operands of one product, and a median of the kernel that the trait finds.
template <class Op>
struct Product {
  using In = typename Op::FormatA;
  using Out = typename Op::FormatC;
  Cuda::Buffer<In> a, b;
  Cuda::Buffer<Out> c;

  explicit Product(Bench& bench)
      : a(or_give_up(bench.device().template allocate<In>(side * side), "memory")),
        b(or_give_up(bench.device().template allocate<In>(side * side), "memory")),
        c(or_give_up(bench.device().template allocate<Out>(side * side), "memory")) {
    const Fill normal{FillKind::normal, 7, side, FormatTraits<In>::layout};
    for (In* const data : {a.data(), b.data()})
      or_give_up(fill(bench.device(), bench.stream(), square_view(data), normal), "a fill");
    or_give_up(bench.device().synchronize(bench.stream()), "waiting");
  }
  [[nodiscard]] typename Op::Arguments arguments() {
    return {square_view<const In>(a.data()), square_view<const In>(b.data()), square_view(c.data())};
  }
};

void measure(Bench& bench) {
  if (!bench.time_for("products of 8192^3", 30)) return;
  Cuda& device = bench.device();
  Cublas blas = or_give_up(Cublas::open(device), "cuBLAS");
  CublasLt blas_lt = or_give_up(CublasLt::open(device), "cuBLASLt");
  const auto submit = [&](auto call) { return [&bench, call] { return bench.seconds_of([&] { call(); }); }; };
  const auto product_of = [&](auto call) {
    return [&bench, call] { return bench.seconds_on_a_busy_stream([&] { call(); }); };
  };
  const auto teraflops = [](double seconds) { return in_rate(operations * 1e-12, seconds, "TFLOP/s"); };
  const GemmProblem square = problem();
  {
    Product<F64> wide(bench);
    Product<Bf16> narrow(bench);
    const GemmBound bound =
        gemm_bound(square, accumulation_in<float32>(), RoundingModel::statistical, side, false).bound;
    const auto times = Bench::medians(
        5, {product_of(
                [&] { or_give_up(kernel<Cublas, F64>::run(blas, bench.stream(), square, wide.arguments()), "dgemm"); }),
            submit([&] {
              const auto reference = gemm_reference<Bf16>(device, bench.stream(), square, narrow.arguments(), bound);
              if (!reference) or_give_up(Result<void>(reference.propagate()), "the reference");
            })});
    bench.report("reference of a bf16 product", teraflops(times[1]), "dgemm " + teraflops(times[0]),
                 times[0] / times[1], Sense::at_least, 0.7);
  }
  Product<Bf16> product(bench);
  const GemmSubject<Bf16> subject = gemm_subject<Bf16>(blas_lt);
  const CaseContext context{11};
  const TransferCount before = device.transfers();
  const auto times = Bench::medians(
      5, {product_of([&] {
            or_give_up(kernel<CublasLt, Bf16>::run(blas_lt, bench.stream(), square, product.arguments()),
                       "the product");
          }),
          [&] {
            return bench.validation_seconds(check_gemm<Bf16>(device, subject, square, FillKind::normal, {}, context),
                                            "full check");
          },
          [&] {
            return bench.validation_seconds(
                check_gemm_residual<Bf16>(device, subject, square, FillKind::normal, {}, context), "residual check");
          }});
  const TransferCount after = device.transfers();
  const std::string against = "the product " + teraflops(times[0]) + ", " + in_milliseconds(times[0]);
  bench.report("full validation of a bf16 product", in_milliseconds(times[1]), against, times[1] / times[0],
               Sense::at_most, 15);
  bench.report("residual check of a bf16 product", in_milliseconds(times[2]), against, times[2] / times[0],
               Sense::at_most, 0.1);
  const double crossed = static_cast<double>(after.bytes_to_host - before.bytes_to_host + after.bytes_to_device -
                                             before.bytes_to_device) /
                         6,
               matrix = 2.0 * side * side;
  bench.report("bytes over the bus of both checks", in_rate(crossed, 1, "bytes"),
               "the output " + in_rate(matrix, 1, "bytes"), crossed / matrix, Sense::at_most, 0.05);
}

}  // namespace

int main(int argc, char** argv) {
  return run(argc, argv, measure);
}
