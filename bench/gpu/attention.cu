// Validation of attention, 8 sequences of 4096 tokens with 16 heads of 128, beside cuDNN's kernel, which is what is
// validated.
#include "assay/adapters/cudnn/attention.hpp"
#include "assay/validators/check_operation.hpp"
#include "gpu_bench.hpp"

namespace {

using namespace assay;
using namespace gpu_bench;

void measure(Bench& bench) {
  if (!bench.time_for("attention", 30)) return;
  Cuda& device = bench.device();
  Cudnn cudnn = or_give_up(Cudnn::open(device), "cuDNN");
  AttentionProblem problem;
  problem.batch = 8;
  problem.heads = problem.key_heads = 16;
  problem.queries = problem.keys = 4096;
  problem.depth = problem.value_depth = 128;
  problem.query = problem.key_value = problem.output = problem.weights = element_format<bfloat16>();
  auto subject = operation_subject<Attention>(cudnn);
  double kernel_seconds = 0;
  subject.run = [&](const AttentionProblem& own, const OperandArray& operands) -> Result<void> {
    if (auto planned = kernel<Cudnn, Attention>::run(cudnn, bench.stream(), own, operands); !planned) return planned;
    kernel_seconds = bench.seconds_on_a_busy_stream(
        [&] { or_give_up(kernel<Cudnn, Attention>::run(cudnn, bench.stream(), own, operands), "attention"); });
    return {};
  };
  const auto times = Bench::medians(
      3, {[&] {
            return bench.validation_seconds(
                check_operation<Attention>(device, subject, problem, FillKind::normal, {}, CaseContext{5}),
                "attention");
          },
          [&] { return kernel_seconds; }});
  bench.report("full validation of attention, 8x16x4096x128 bf16", in_milliseconds(times[0]),
               "cuDNN " + in_milliseconds(times[1]), times[0] / times[1], Sense::at_most, 20);
}

}  // namespace

int main(int argc, char** argv) {
  return run(argc, argv, measure);
}
