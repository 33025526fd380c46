#pragma once

#include <memory>

#include "assay/core/result.hpp"
#include "assay/core/run.hpp"
#include "assay/suite/case.hpp"
#include "assay/suite/run_options.hpp"
#include "command_line.hpp"
#include "open_ended_console.hpp"

namespace assay_program {

/// This program as one of those that a launcher started together, of which the first deals the cases out.
class Distribution {
 public:
  /// Errors: `unsupported` where the program was built without the launcher's library; `invalid` where there is nobody
  /// to deal to.
  [[nodiscard]] static assay::Result<Distribution> open();
  Distribution(Distribution&&) noexcept;
  ~Distribution();

  /// Whether this is the process that deals the cases out, and reports.
  [[nodiscard]] bool deals() const;
  /// Of the process that deals.
  [[nodiscard]] assay::Run run(const assay::Suite& chosen, const assay::RunOptions& options, OpenEndedConsole& console);
  /// Of the others: runs what they are dealt of the same cases. Returns the exit code.
  [[nodiscard]] int serve(const CommandLine& line, const assay::Suite& chosen, const assay::RunOptions& options);

 private:
  struct Job;
  explicit Distribution(std::unique_ptr<Job> job);
  std::unique_ptr<Job> job_;
};

}  // namespace assay_program
