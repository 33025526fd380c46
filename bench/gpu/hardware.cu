// The device's memory by STREAM beside a copy, what goes over the link, each way and both, and the stress of all
// multiprocessors.
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "assay/hardware/bandwidth/stream_on_backend.hpp"
#include "assay/hardware/bandwidth/transfers_on_backend.hpp"
#include "assay/hardware/stress/stress_on_backend.hpp"
#include "gpu_bench.hpp"

namespace {

using namespace assay;
using namespace gpu_bench;

void require_cuda(cudaError_t code) {
  if (code == cudaSuccess) return;
  std::fprintf(stderr, "%s\n", cudaGetErrorString(code));
  std::exit(1);
}

void measure_stream_forms(Bench& bench) {
  StreamOptions options;
  const auto found = or_give_up(stream_on_backend(bench.device(), bench.stream(), options), "STREAM");
  bench.require(judge_stream(found, options).verdict == Verdict::pass, "STREAM");
  const std::size_t bytes = std::size_t{256} << 20;
  auto from = or_give_up(bench.device().allocate<char>(bytes), "memory");
  auto to = or_give_up(bench.device().allocate<char>(bytes), "memory");
  const auto copied =
      Bench::medians(9, {[&] {
                       return bench.seconds_of([&] {
                         require_cuda(cudaMemcpyAsync(to.data(), from.data(), bytes, cudaMemcpyDeviceToDevice,
                                                      bench.stream().handle()));
                       });
                     }});
  const double copy = 2 * static_cast<double>(bytes) / copied[0];
  for (const StreamMeasurement& entry : found)
    bench.report("STREAM " + std::string(name_of(entry.form)),
                 in_rate(entry.median_bytes_per_second * 1e-12, 1, "TB/s"), "copy " + in_rate(copy * 1e-12, 1, "TB/s"),
                 entry.median_bytes_per_second / copy, Sense::at_least, 0.9);
}

/// Pinned memory of the host.
struct PinnedWords {
  std::uint64_t* data = nullptr;
  std::size_t count;
  explicit PinnedWords(std::size_t words) : count(words) {
    require_cuda(cudaMallocHost(reinterpret_cast<void**>(&data), words * sizeof(std::uint64_t)));
  }
  PinnedWords(const PinnedWords&) = delete;
  PinnedWords& operator=(const PinnedWords&) = delete;
  ~PinnedWords() { static_cast<void>(cudaFreeHost(data)); }
  [[nodiscard]] std::span<std::uint64_t> span() const { return {data, count}; }
};

void measure_transfers(Bench& bench) {
  TransferOptions options;
  const PinnedWords source(options.bytes / 8), destination(options.bytes / 8);
  const auto found =
      or_give_up(transfers_on_backend(bench.device(), source.span(), destination.span(), options), "transfers");
  const Outcome outcome = judge_transfers(found, "cuda", options);
  bench.require(outcome.verdict == Verdict::pass, "transfers: " + outcome.reason);
  const auto rate = [&](std::size_t i) { return found[i].bytes_per_second; };
  const auto text = [&](std::size_t i) { return in_rate(rate(i) * 1e-9, 1, "GB/s"); };
  bench.report("to the host, pinned", text(1), "to the device " + text(0), rate(1) / rate(0), Sense::at_least, 0.8);
  bench.report("both ways at once, pinned", text(2), "to the device " + text(0), rate(2) / rate(0), Sense::at_least,
               1.5);
}

template <class T>
void stress(Bench& bench, const char* format) {
  StressOptions options;
  options.seconds = 2;
  const auto result = stress_on_backend<T>(bench.device(), bench.stream(), format, options);
  const Outcome outcome = judge_stress(result, format, options);
  bench.require(outcome.verdict == Verdict::pass, std::string("stress ") + format + ": " + outcome.reason);
  const auto present = static_cast<double>(bench.device().multiprocessors());
  bench.report(std::string("multiprocessors under stress ") + format,
               in_rate(outcome.measurement("rate").value_or(0) * 1e-3, 1, "Top/s"),
               std::to_string(bench.device().multiprocessors()) + " present",
               outcome.measurement("processors").value_or(0) / present, Sense::at_least, 1);
}

void measure(Bench& bench) {
  if (bench.time_for("STREAM", 5)) measure_stream_forms(bench);
  if (bench.time_for("transfers", 5)) measure_transfers(bench);
  if (bench.time_for("stress f32", 4)) stress<float>(bench, "f32");
  if (bench.time_for("stress f64", 4)) stress<double>(bench, "f64");
  if (bench.time_for("stress i32", 4)) stress<std::int32_t>(bench, "i32");
}

}  // namespace

int main(int argc, char** argv) {
  return run(argc, argv, measure);
}
