// A GEMM of one's own under Assay's default suite: a backend is a type with a name, a kernel is a member `run`.
#include "assay/backends/host.hpp"
#include "assay/core/detect_environment.hpp"
#include "assay/report/console.hpp"
#include "assay/report/html.hpp"
#include "assay/suite/runner.hpp"
#include "assay/validators/gemm_suite.hpp"

using Matrices =
    assay::Gemm<assay::bfloat16, assay::bfloat16, assay::float32, assay::bfloat16>;  // A, B, accumulator, C

// Memory, streams and events are the host's; a device of its own would bring its own (see assay/backends/README.md).
struct MyAccelerator : assay::Host {
  std::string_view name() const { return "my_accelerator"; }

  // C = alpha·A·B + beta·C in bfloat16 with float32 sums, four at a time, as a vector unit would add.
  assay::Result<void> run(Matrices, Stream&, const assay::GemmProblem& problem, const Matrices::Arguments& arguments) {
    const auto& [a, b, c] = arguments;
    for (assay::Index batch = 0; batch < c.extents[0]; ++batch)
      for (assay::Index row = 0; row < c.extents[1]; ++row)
        for (assay::Index column = 0; column < c.extents[2]; ++column) {
          float sums[4] = {};
          for (assay::Index k = 0; k < a.extents[2]; ++k)
            sums[k % 4] +=
                static_cast<float>(decode(a(batch, row, k))) * static_cast<float>(decode(b(batch, k, column)));
          const float product = (sums[0] + sums[1]) + (sums[2] + sums[3]);
          float result = problem.alpha == 0 ? 0 : static_cast<float>(problem.alpha) * product;
          if (problem.beta != 0)
            result += static_cast<float>(problem.beta) * static_cast<float>(decode(c(batch, row, column)));
          c(batch, row, column) = assay::bfloat16(result);
        }
    return {};
  }
};
static_assert(assay::ParallelBackend<MyAccelerator>);

int main() {
  assay::Suite suite;
  assay::add_gemm_cases<Matrices>(suite, MyAccelerator());

  assay::RunOptions options;
  options.title = "my_accelerator";
  assay::Console console;
  const assay::Run run = assay::run_suite(suite, options, assay::detect_environment(), console);
  if (const auto written = assay::write_html(run, "my_accelerator.html"); !written)
    std::fprintf(stderr, "%s\n", written.error().message.c_str());
  return run.exit_code();
}
