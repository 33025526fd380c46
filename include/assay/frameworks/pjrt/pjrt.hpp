#pragma once

#include <memory>
#include <string>
#include <vector>

#include "assay/frameworks/door/graph_executor.hpp"

namespace assay::inline v0 {

namespace detail {
class PjrtLibrary;
}

/// A plugin of PJRT (OpenXLA), by its table of C functions, loaded at run time: no header and no link. Programs are
/// modules of StableHLO in text; the mode's provider is the platform that the plugin must be of ("cpu", "cuda", "tpu";
/// empty: any), and the provider's options are flags of XLA for this compilation.
///
/// Before each call the table's own size is asked whether it goes that far. Elements of less than a byte are not handed
/// over. libtpu is not asked where there is no TPU.
class Pjrt {
 public:
  /// Errors: `not_found` where the file cannot be loaded; `unsupported` where it is no plugin, or one of another major
  /// version than 0.
  [[nodiscard]] static Result<Pjrt> open(const std::string& path);

  /// The other one is without a plugin then, and can only be destroyed or assigned to.
  Pjrt(Pjrt&&) noexcept;
  Pjrt& operator=(Pjrt&&) noexcept;  ///< likewise
  ~Pjrt();

  /// Its version and platform. Makes a client of all devices of the platform.
  [[nodiscard]] Result<ExecutorDescription> describe();
  /// Runs on the first device. Outputs have the names of the module's `jax.result_info`, else their numbers. Errors: see
  /// `GraphExecutor`; `invalid` where the module cannot be parsed.
  [[nodiscard]] Result<GraphRun> run(const GraphProgram& program, const std::vector<GraphTensor>& inputs);

 private:
  explicit Pjrt(std::unique_ptr<detail::PjrtLibrary> library);

  std::unique_ptr<detail::PjrtLibrary> library_;
};

static_assert(GraphExecutor<Pjrt>);

/// Answers a `DoorWorker` until it hangs up, with the plugin at `path`; returns an exit code. For a process of its own
/// that does nothing else.
[[nodiscard]] int serve_pjrt(const std::string& path);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/frameworks/pjrt/pjrt.ipp"
#endif
