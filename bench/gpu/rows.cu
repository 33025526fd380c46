// Validation of softmax and layer normalization beside one pass over their data: a copy of the input to the output.
#include "assay/kernels/normalization/normalization.hpp"
#include "assay/kernels/softmax/softmax.hpp"
#include "assay/validators/check_operation.hpp"
#include "gpu_bench.hpp"

namespace {

using namespace assay;
using namespace gpu_bench;

constexpr Index rows = 65536, columns = 4096;
constexpr auto elements = static_cast<std::size_t>(rows * columns);

template <class Op>
void measure_operation(Bench& bench, const char* name, const typename Op::Problem& problem) {
  if (!bench.time_for(name, 20)) return;
  Cuda& device = bench.device();
  auto from = or_give_up(device.allocate<bfloat16>(elements), "memory"),
       to = or_give_up(device.allocate<bfloat16>(elements), "memory");
  const auto subject = portable_operation_subject<Op>(device);
  const auto times = Bench::medians(
      5, {[&] {
            return bench.seconds_of([&] {
              static_cast<void>(cudaMemcpyAsync(to.data(), from.data(), elements * 2, cudaMemcpyDeviceToDevice,
                                                bench.stream().handle()));
            });
          },
          [&] {
            return bench.validation_seconds(
                check_operation<Op>(device, subject, problem, FillKind::normal, {}, CaseContext{5}), name);
          }});
  bench.report(name, in_milliseconds(times[1]), "a pass " + in_milliseconds(times[0]), times[1] / times[0],
               Sense::at_most, 3);
}

void measure(Bench& bench) {
  SoftmaxProblem softmax;
  softmax.outer = rows;
  softmax.length = columns;
  softmax.input = softmax.output = element_format<bfloat16>();
  measure_operation<Softmax>(bench, "full validation of softmax, 65536 rows of 4096 bf16", softmax);
  NormalizationProblem layer;
  layer.outer = rows;
  layer.channels = columns;
  layer.input = layer.output = element_format<bfloat16>();
  measure_operation<Normalization>(bench, "full validation of layernorm, 65536 rows of 4096 bf16", layer);
}

}  // namespace

int main(int argc, char** argv) {
  return run(argc, argv, measure);
}
