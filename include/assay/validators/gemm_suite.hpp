#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "assay/suite/case.hpp"
#include "assay/validators/check_gemm.hpp"
#include "assay/validators/gemm_shapes.hpp"

namespace assay {

/// How a GEMM suite is made.
struct GemmSuiteOptions {
  std::vector<GemmShape> shapes = default_gemm_shapes();
  GemmCheckOptions check;
};

/// Adds a case for each shape and fill. Ids are gemm/<backend>/<formats>/<shape>/<fill>. `worker` gives out the memory and runs fills,
/// reference and comparison; copies of it are kept.
template <class Op, ParallelBackend W>
void add_gemm_cases(Suite& suite, W worker, GemmSubject<Op> subject, const GemmSuiteOptions& options = {}) {
  auto shared_worker = std::make_shared<W>(std::move(worker));
  auto shared_subject = std::make_shared<const GemmSubject<Op>>(std::move(subject));
  for (const GemmShape& shape : options.shapes) {
    for (FillKind fill : shape.fills) {
      Case entry;
      entry.labels = {{"operation", Op::name()}, {"backend", shared_subject->name}, {"formats", Op::formats()}, {"shape", name_of(shape.problem)}, {"data", std::string(name_of(fill))}};
      entry.id = std::string(Op::name()) + "/" + shared_subject->name + "/" + Op::formats() + "/" + name_of(shape.problem) + "/" + std::string(name_of(fill));
      if (shape.large) entry.tags.push_back("large");
      entry.run = [shared_worker, shared_subject, problem = shape.problem, fill, check = options.check](const CaseContext& context) {
        return check_gemm<Op>(*shared_worker, *shared_subject, problem, fill, check, context);
      };
      suite.push_back(std::move(entry));
    }
  }
}

/// The same for the kernel that the trait `kernel<B, Op>` finds on a parallel backend, in that backend's own memory.
template <class Op, ParallelBackend B>
void add_gemm_cases(Suite& suite, B backend, const GemmSuiteOptions& options = {}) {
  add_gemm_cases<Op>(suite, backend, gemm_subject<Op>(backend), options);
}

}  // namespace assay
