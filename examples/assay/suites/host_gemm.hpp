#pragma once

#include <string>
#include <utility>

#include "assay/backends/host.hpp"
#include "assay/formats/format_traits.hpp"
#include "assay/validators/gemm_suite.hpp"
#include "suites/library.hpp"

namespace assay_program {

template <class Input, class Accumulator, class Output>
using SimpleGemm = assay::Gemm<Input, Input, Accumulator, Output>;

using GemmF64 = SimpleGemm<assay::float64, assay::float64, assay::float64>;
using GemmF32 = SimpleGemm<assay::float32, assay::float32, assay::float32>;
using GemmF16ToF32 = SimpleGemm<assay::float16, assay::float32, assay::float32>;
using GemmF16 = SimpleGemm<assay::float16, assay::float32, assay::float16>;
using GemmF16InF16 = SimpleGemm<assay::float16, assay::float16, assay::float16>;
using GemmBf16ToF32 = SimpleGemm<assay::bfloat16, assay::float32, assay::float32>;
using GemmBf16 = SimpleGemm<assay::bfloat16, assay::float32, assay::bfloat16>;
using GemmBf16InBf16 = SimpleGemm<assay::bfloat16, assay::bfloat16, assay::bfloat16>;

/// The backend that gives out memory and computes references for all libraries of the host: one pool of threads.
[[nodiscard]] assay::Host& host_worker();

/// Adds the cases of a subject that works on host memory. Defined for the operations above in sources of its own, so
/// that reference and comparison are compiled once for all libraries.
template <class Op>
void add_host_gemm_cases(assay::Suite& suite, assay::GemmSubject<Op> subject, const SuiteOptions& options);

/// A kernel in name and promised arithmetic only, for catalogs of libraries whose runtime is not to be started.
template <class Op>
[[nodiscard]] assay::GemmSubject<Op> named_subject(std::string name) {
  assay::GemmSubject<Op> subject;
  subject.name = std::move(name);
  subject.run = [](const auto&, const auto&) -> assay::Result<void> {
    return assay::failure(assay::ErrorKind::invalid, "a catalog of cases cannot run them");
  };
  return subject;
}

}  // namespace assay_program
