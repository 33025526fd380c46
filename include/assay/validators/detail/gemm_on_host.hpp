#pragma once

#include <memory>
#include <type_traits>

#include "assay/backends/host.hpp"
#include "assay/core/outcome.hpp"
#include "assay/kernels/gemm/common_formats.hpp"
#include "assay/kernels/gemm/fill.hpp"
#include "assay/suite/case.hpp"

namespace assay::inline v0 {

template <class Op>
struct GemmSubject;
struct GemmCheckOptions;
struct GemmMatrices;
struct GemmSuiteOptions;

namespace detail {

/// Whether what validates such a product with such a worker is in `assay::compiled`, so that this unit only calls it.
template <class Op, class W>
inline constexpr bool gemm_compiled_on_host =
#if defined(ASSAY_COMPILED)
    std::is_same_v<W, Host>&& CommonGemms::has<Op>;
#else
    false;
#endif

/// What `assay::compiled` has of a product. Declared here for everybody, defined in gemm_on_host_definition.hpp for
/// that library.
template <class Op>
struct GemmOnHost {
  [[nodiscard]] static Outcome check(Host& worker, const GemmSubject<Op>& subject, const GemmProblem& problem,
                                     const GemmData& data, const GemmCheckOptions& options, const CaseContext& context);
  [[nodiscard]] static Outcome check_residual(Host& worker, const GemmSubject<Op>& subject, const GemmProblem& problem,
                                              const GemmData& data, const GemmCheckOptions& options,
                                              const CaseContext& context, unsigned vectors);
  [[nodiscard]] static Outcome check_sampled(Host& worker, const GemmSubject<Op>& subject, const GemmProblem& problem,
                                             const GemmData& data, const GemmCheckOptions& options,
                                             const CaseContext& context, Index samples);
  static void add_cases(Suite& suite, Host worker, GemmSubject<Op> subject, const GemmSuiteOptions& options);
  static void add_case(Suite& suite, Host worker, GemmSubject<Op> subject, std::shared_ptr<const GemmMatrices> matrices,
                       const GemmCheckOptions& check);
  [[nodiscard]] static GemmSubject<Op> portable(Host backend);
};

}  // namespace detail

}  // namespace assay::inline v0
