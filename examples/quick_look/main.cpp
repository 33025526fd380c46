// GEMM, softmax and normalization of every library that is here, each case in a process that it may crash:
//   quick_look [FOLDER]   leaves FOLDER/report.html
// Exit code: 0 passed, 1 something failed, 2 usage or environment.
#include <algorithm>
#include <cstdio>
#include <numeric>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "assay/core/detect_environment.hpp"
#include "assay/diagnosis/budget.hpp"
#include "assay/kernels/normalization/normalization.hpp"
#include "assay/kernels/softmax/softmax.hpp"
#include "assay/report/console.hpp"
#include "assay/report/html.hpp"
#include "assay/suite/isolated_runner.hpp"
#include "assay/suite/selection.hpp"
#include "assay/suite/serve_cases.hpp"
#include "assay/validators/gemm_suite.hpp"
#include "assay/validators/operation_suite.hpp"
#if defined(ASSAY_HAS_OPENBLAS)
#include "assay/adapters/openblas/gemm.hpp"
#endif
#if defined(ASSAY_HAS_ONEDNN)
#include "assay/adapters/onednn/gemm.hpp"
#include "assay/adapters/onednn/normalization.hpp"
#include "assay/adapters/onednn/softmax.hpp"
#endif
#if defined(ASSAY_HAS_EIGEN)
#include "assay/adapters/eigen/gemm.hpp"
#endif

namespace {

using namespace assay;
using assay::bfloat16;  // OpenBLAS has a type of that name

using GemmF32 = Gemm<float32, float32, float32, float32>;
using GemmBf16 = Gemm<bfloat16, bfloat16, float32, bfloat16>;

/// The cases, and the libraries that they are about.
struct Look {
  Suite cases;
  Environment environment = detect_environment();
};

Look quick_look() {
  Look look;
  const Host worker;
  const DiagnosisOptions diagnosis{&diagnose_within_budget, 1, true};
  GemmSuiteOptions products;
  products.check.diagnosis = diagnosis;
  OperationSuiteOptions operations;
  operations.check.diagnosis = diagnosis;
  const auto add_product = [&]<class Op>(GemmSubject<Op> subject) {
    add_gemm_cases<Op>(look.cases, worker, std::move(subject), products);
  };
  const auto add_rows = [&]<class Op>(OperationSubject<Op> subject) {
    add_operation_cases<Op>(look.cases, worker, std::move(subject), operations);
  };
  add_product(portable_gemm_subject<GemmF32>(worker));
  add_product(portable_gemm_subject<GemmBf16>(worker));
  add_rows(portable_operation_subject<Softmax>(worker));
  add_rows(portable_operation_subject<Normalization>(worker));
#if defined(ASSAY_HAS_OPENBLAS)
  look.environment.libraries.emplace_back("openblas", OpenBlas::version());
  add_product(gemm_subject<GemmF32>(OpenBlas(1)));
#endif
#if defined(ASSAY_HAS_ONEDNN)
  look.environment.libraries.emplace_back("onednn", OneDnn::version());
  add_product(gemm_subject<GemmF32>(OneDnn(1)));
  add_product(gemm_subject<GemmBf16>(OneDnn(1)));
  add_rows(operation_subject<Softmax>(OneDnn(1)));
  add_rows(operation_subject<Normalization>(OneDnn(1)));
#endif
#if defined(ASSAY_HAS_EIGEN)
  look.environment.libraries.emplace_back("eigen", EigenLibrary::version());
  add_product(gemm_subject<GemmF32>(EigenLibrary(1)));
#endif
  std::erase_if(look.cases, [](const Case& entry) {
    return std::find(entry.tags.begin(), entry.tags.end(), large_tag) != entry.tags.end();
  });
  limit_diagnoses(look.cases);
  return look;
}

}  // namespace

int main(int count, char** arguments) {
  const std::string_view argument = count > 1 ? arguments[1] : "";
  if (count > 2 || argument.starts_with('-')) {
    std::fprintf(stderr, "quick_look: '%s' was not expected; give a folder for the report, or nothing\n",
                 arguments[count > 2 ? 2 : 1]);
    return 2;
  }
  Look look = quick_look();
  if (argument == "worker") {  // started by run_isolated, below
    const auto served = serve_cases(look.cases);
    if (!served) std::fprintf(stderr, "quick_look: %s\n", served.error().message.c_str());
    return served ? 0 : 2;
  }

  RunOptions options;
  options.title = "Assay's first look: GEMM, softmax and normalization";
  options.command = "quick_look";
  options.reproduce_with = "assay run";
  options.jobs = std::clamp(std::thread::hardware_concurrency(), 1u, 4u);
  IsolationOptions isolation;
  isolation.command = {"/proc/self/exe", "worker"};
  isolation.environment = {"OMP_WAIT_POLICY=passive"};
  std::vector<std::size_t> all(look.cases.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  Console console;
  const Run run = run_isolated(look.cases, all, options, isolation, look.environment, console);
  if (!argument.empty()) {
    const std::string file = std::string(argument) + "/report.html";
    if (const auto written = write_html(run, file); !written) {
      std::fprintf(stderr, "quick_look: %s\n", written.error().message.c_str());
      return 2;
    }
    std::printf("report: %s\n", file.c_str());
  }
  return run.exit_code();
}
