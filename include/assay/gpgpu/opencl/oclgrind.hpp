#pragma once

#include <fstream>
#include <string>
#include <string_view>

#include "assay/core/result.hpp"

namespace assay::inline v0 {

/// Oclgrind's library, which is an OpenCL whose device is a simulator that names races and accesses out of bounds: what
/// the environment variable ASSAY_OCLGRIND names (liboclgrind-rt.so, or the folder that has it), else the one of the
/// system. Errors: `unsupported`, with what to install.
[[nodiscard]] Result<std::string> find_oclgrind();

/// Whether ASSAY_OCLGRIND asks for Oclgrind in the place of another OpenCL: it is set, and to no empty text.
[[nodiscard]] bool oclgrind_is_wanted();

namespace detail {

/// What a log of Oclgrind tells, as `OclgrindLog::check` does.
[[nodiscard]] Result<void> oclgrind_findings(std::string_view log, const std::string& file, const std::string& kernel);

}  // namespace detail

/// What Oclgrind has found, read from a log of this process.
class OclgrindLog {
 public:
  /// None: `check` finds nothing.
  OclgrindLog() = default;
  /// Sets what Oclgrind reads from the environment: that it looks for races, and where its log is. Before the library
  /// makes a context.
  [[nodiscard]] static OclgrindLog prepare();
  /// Opens what Oclgrind writes, and takes its name from the file system. When the context is there. Errors: `io`.
  [[nodiscard]] Result<void> open();
  /// What has been found since the last time, in a kernel of a file. Errors: `device`, with the first finding, its
  /// lines and how many there are.
  [[nodiscard]] Result<void> check(const std::string& file, const std::string& kernel);

 private:
  std::string path_;
  std::ifstream file_;
};

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/gpgpu/opencl/oclgrind.ipp"
#endif
