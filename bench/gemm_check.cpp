// components: openblas
// What it costs to check a GEMM in full, as a multiple of the time of the kernel under test (OpenBLAS sgemm) on the same
// cores: the reference with its bounds, the comparison of every element, and the whole case.

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

#include "assay/adapters/openblas/gemm.hpp"
#include "assay/backends/host.hpp"
#include "assay/compare/compare.hpp"
#include "assay/kernels/gemm/fill.hpp"
#include "assay/kernels/gemm/portable.hpp"
#include "assay/kernels/gemm/reference.hpp"
#include "assay/validators/check_gemm.hpp"
#include "give_up.hpp"
#include "timing.hpp"

namespace {

using namespace assay;

/// The kernel whose output is checked: OpenBLAS for f32; for bf16 the sums of the f32 kernel, rounded once.
template <class T>
void multiply(Index n, const std::vector<float>& a, const std::vector<float>& b, std::vector<float>& sums, T* c) {
  const auto size = static_cast<blasint>(n);
  cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, size, size, size, 1, a.data(), size, b.data(), size, 0,
              sums.data(), size);
  for (std::size_t i = 0; i < sums.size(); ++i) c[i] = encode<T>(static_cast<double>(sums[i]));
}

template <class T>
void measure(Index n, unsigned threads, int rounds) {
  using Op = Gemm<T, T, float32, T>;
  Host host(threads);
  auto stream = value_of(host.make_stream());
  GemmProblem problem;
  problem.m = problem.n = problem.k = n;
  const GemmLayout layout = value_of(lay_out(problem));
  const AccumulationModel accumulation = accumulation_in<float32>();
  const GemmData data =
      GemmData::make(FillKind::normal, problem, FormatTraits<T>::layout, FormatTraits<T>::layout, accumulation, 7);
  auto a = value_of(host.allocate<T>(static_cast<std::size_t>(n * n)));
  auto b = value_of(host.allocate<T>(static_cast<std::size_t>(n * n)));
  auto c = value_of(host.allocate<T>(static_cast<std::size_t>(n * n)));
  const auto view = [&](auto* pointer) { return detail::matrix_view(pointer, layout.a, 1); };
  if (auto filled = fill(host, stream, view(a.data()), data.a); !filled) give_up(filled.error().message);
  if (auto filled = fill(host, stream, view(b.data()), data.b, Lanes::columns); !filled)
    give_up(filled.error().message);
  std::vector<float> left(a.size()), right(b.size()), sums(c.size());
  for (std::size_t i = 0; i < left.size(); ++i) {
    left[i] = static_cast<float>(decode(a.data()[i]));
    right[i] = static_cast<float>(decode(b.data()[i]));
  }
  multiply<T>(n, left, right, sums, c.data());

  const ExplainedGemmBound explained = gemm_bound(problem, accumulation, data.model, data.terms, false);
  const typename Op::Arguments arguments{view(static_cast<const T*>(a.data())), view(static_cast<const T*>(b.data())),
                                         view(c.data())};
  GemmSubject<Op> subject;
  subject.name = "kernel";
  subject.run = [&](const GemmProblem&, const typename Op::Arguments& given) -> Result<void> {
    if constexpr (std::is_same_v<T, float>) {
      const auto size = static_cast<blasint>(n);
      cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, size, size, size, 1, given.a.data, size, given.b.data,
                  size, 0, given.c.data, size);
    } else {
      std::copy(c.data(), c.data() + c.size(), given.c.data);
    }
    return {};
  };

  std::vector<double> kernel, reference, exact, comparison, whole;
  for (int round = 0; round < rounds; ++round) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    const auto size = static_cast<blasint>(n);
    kernel.push_back(seconds_of([&] {
      cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, size, size, size, 1, left.data(), size, right.data(), size,
                  0, sums.data(), size);
    }));
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    {
      std::optional<GemmReference<Op, Host>> made;
      reference.push_back(seconds_of([&] {
        made.emplace(
            value_of(gemm_reference<Op>(host, stream, problem, arguments, explained.bound, {GemmScales::bounded})));
      }));
      comparison.push_back(seconds_of([&] {
        const Comparison found = value_of(compare(host, stream, arguments.c, made->expected(), ChosenTolerance{}));
        if (found.violations != 0 || found.in_doubt != 0)
          give_up("the kernel was refuted, or elements stayed in doubt");
      }));
    }
    exact.push_back(seconds_of(
        [&] { value_of(gemm_reference<Op>(host, stream, problem, arguments, explained.bound, {GemmScales::exact})); }));
    double of_kernel = 0;
    whole.push_back(seconds_of([&] {
                      const Outcome outcome = check_gemm<Op>(host, subject, problem, data, {}, {});
                      if (outcome.verdict != Verdict::pass) give_up("the case did not pass: " + outcome.reason);
                      of_kernel = outcome.measurement(measurement::kernel_seconds).value_or(0);
                    }) -
                    of_kernel);
  }
  const double unit = median(kernel);
  std::printf("| %s | %lld | %.1f ms | %.2f | %.2f | %.2f | %.2f | %.2f |\n", Op::formats().c_str(),
              static_cast<long long>(n), 1e3 * unit, median(reference) / unit, median(comparison) / unit,
              (median(reference) + median(comparison)) / unit, median(exact) / unit, median(whole) / unit);
}

}  // namespace

int main(int count, char** arguments) {
  const unsigned threads =
      count > 1 ? static_cast<unsigned>(std::atoi(arguments[1])) : std::thread::hardware_concurrency();
  const int rounds = count > 2 ? std::atoi(arguments[2]) : 11;
  openblas_set_num_threads(static_cast<int>(threads));
  std::printf("%u threads, medians of %d rounds, %s; unit: the time of OpenBLAS sgemm on the same data and cores\n\n",
              threads, rounds, std::string(name_of(instruction_set())).c_str());
  std::printf(
      "| formats | n | sgemm | reference and bounds | comparison | both: the check | reference with exact scales | "
      "whole case (fills, "
      "memory checks) |\n");
  std::printf("|---|---|---|---|---|---|---|---|\n");
  for (Index n : {512, 1024, 2048}) {
    measure<float32>(n, threads, rounds);
    measure<assay::bfloat16>(n, threads, rounds);
  }
  return 0;
}
