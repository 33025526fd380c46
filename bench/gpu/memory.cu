// Comparison beside a copy, fills beside writing zeros: what is bound by memory. And what crosses the bus meanwhile.
#include <cstddef>

#include "assay/compare/compare.hpp"
#include "assay/compare/expected_values.hpp"
#include "assay/tensor/fill.hpp"
#include "assay/tensor/fill_tensor.hpp"
#include "assay/tolerance/chosen.hpp"
#include "gpu_bench.hpp"

namespace {

using namespace assay;
using namespace gpu_bench;

constexpr Index rows = 32768, columns = 8192;  // 268 million elements: many times the cache
constexpr int rounds = 9;

template <class T>
StridedView<T, 3> matrix_view(T* data) {
  return {data, {1, rows, columns}, {rows * columns, columns, 1}};
}

template <class T>
void measure_format(Bench& bench, const char* name) {
  constexpr auto elements = static_cast<std::size_t>(rows * columns);
  const double bytes = static_cast<double>(elements * sizeof(T));
  Cuda& device = bench.device();
  auto actual = or_give_up(device.allocate<T>(elements), "memory"),
       expected = or_give_up(device.allocate<T>(elements), "memory");
  Fill uniform{FillKind::uniform, 1, columns, FormatTraits<T>::layout},
      normal{FillKind::normal, 1, columns, FormatTraits<T>::layout};
  for (T* const data : {actual.data(), expected.data()})
    or_give_up(fill(device, bench.stream(), matrix_view(data), normal), "a fill");
  or_give_up(device.synchronize(bench.stream()), "waiting");
  const auto submit = [&](auto call) { return [&bench, call] { return bench.seconds_of([&] { call(); }); }; };
  const auto require_cuda = [](cudaError_t code) {
    if (code == cudaSuccess) return;
    std::fprintf(stderr, "%s\n", cudaGetErrorString(code));
    std::exit(1);
  };
  const TransferCount before = device.transfers();
  ChosenTolerance exact;
  exact.kind = ChosenTolerance::Kind::exact;
  const StridedView<const T, 2> view{actual.data(), {rows, columns}, {columns, 1}};
  const auto times = Bench::medians(
      rounds,
      {submit([&] {
         require_cuda(cudaMemcpyAsync(expected.data(), actual.data(), elements * sizeof(T), cudaMemcpyDeviceToDevice,
                                      bench.stream().handle()));
       }),
       submit([&] {
         const auto compared =
             or_give_up(compare(device, bench.stream(), view, ExpectedValues<T>{expected.data(), columns, 0}, exact),
                        "a comparison");
         bench.require(compared.violations == 0 && compared.elements == elements,
                       std::string("comparison of equal ") + name);
       }),
       submit([&] { require_cuda(cudaMemsetAsync(actual.data(), 0, elements * sizeof(T), bench.stream().handle())); }),
       submit([&] { or_give_up(fill(device, bench.stream(), matrix_view(actual.data()), uniform), "a fill"); }),
       submit([&] { or_give_up(fill(device, bench.stream(), matrix_view(actual.data()), normal), "a fill"); })});
  const TransferCount after = device.transfers();
  const auto rate = [&](double amount, double seconds) { return in_rate(amount * 1e-12, seconds, "TB/s"); };
  bench.report(std::string("compare ") + name, rate(2 * bytes, times[1]), "copy " + rate(2 * bytes, times[0]),
               times[0] / times[1], Sense::at_least, 0.9);
  bench.report(std::string("fill uniform ") + name, rate(bytes, times[3]), "writing zeros " + rate(bytes, times[2]),
               times[2] / times[3], Sense::at_least, 0.8);
  bench.report(std::string("fill normal ") + name, rate(bytes, times[4]), "writing zeros " + rate(bytes, times[2]),
               times[2] / times[4], Sense::at_least, 0.8);
  const double crossed =
      static_cast<double>(after.bytes_to_host - before.bytes_to_host + after.bytes_to_device - before.bytes_to_device) /
      (rounds + 1);
  bench.report(std::string("bytes over the bus a round, ") + name, in_rate(crossed, 1, "bytes"),
               "the tensor " + in_rate(bytes, 1, "bytes"), crossed / bytes, Sense::at_most, 0.01);
}

void measure(Bench& bench) {
  if (bench.time_for("f32", 20)) measure_format<float32>(bench, "f32");
  if (bench.time_for("bf16", 20)) measure_format<bfloat16>(bench, "bf16");
}

}  // namespace

int main(int argc, char** argv) {
  return run(argc, argv, measure);
}
