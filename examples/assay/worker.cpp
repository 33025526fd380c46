#include "assay/suite/serve_cases.hpp"

#include "assembled_suite.hpp"
#include "commands.hpp"
#include "fault.hpp"

namespace assay_program {

int worker(const CommandLine& line) {
  const auto& backends = line.selection.backends;
  const auto assembled = assemble_suite(line, {backends.begin(), backends.end()});
  if (!assembled) return fault(assembled.error().message);
  const auto served = assay::serve_cases(assembled.value().cases);
  return served ? 0 : fault(served.error().message);
}

}  // namespace assay_program
