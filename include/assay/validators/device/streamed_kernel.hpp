#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "assay/validators/device/device_kernel.hpp"

namespace assay::inline v0 {

/// Work under test that is spread over several streams and ordered by events of its own.
template <Backend B>
struct StreamedKernel {
  std::string name;  ///< for the outcome's id
  std::vector<KernelInput> inputs;
  std::vector<KernelOutput> outputs;
  std::size_t streams = 2;
  /// Submits the work to the streams, `streams` in number. What it reads is ready for any of them when it is called.
  /// What it writes must be there when the work of the *last* stream is done: only that one is waited for. Streams may
  /// be the same one. It neither waits for streams nor relies on when they run.
  std::function<Result<void>(B& backend, std::vector<typename B::Stream>& streams, const KernelOperands& operands)>
      submit;
};

}  // namespace assay::inline v0
