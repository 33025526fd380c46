#pragma once

#include <memory>
#include <string>
#include <utility>

#include "assay/backends/backend.hpp"
#include "assay/backends/wait_at_end.hpp"
#include "assay/core/result.hpp"

namespace assay::inline v0::detail {

/// A subject (of a GEMM, of quantizing, of an operation) that submits by `launch(backend, stream, problem, arguments)`,
/// on a stream of its own, and synchronizes.
template <class Subject, Backend B, class Launch>
[[nodiscard]] Subject launched_subject(B backend, Launch launch) {
  Subject subject;
  subject.name = std::string(backend.name());
  subject.run = [shared = std::make_shared<B>(std::move(backend)), launch](const auto& problem,
                                                                           const auto& arguments) -> Result<void> {
    auto stream = shared->make_stream();
    if (!stream) return stream.propagate();
    WaitAtEnd work_on_arguments(*shared, stream.value());
    if (auto run = launch(*shared, stream.value(), problem, arguments); !run) return run;
    return work_on_arguments.wait();
  };
  return subject;
}

}  // namespace assay::inline v0::detail
