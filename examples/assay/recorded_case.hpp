#pragma once

#include <string>

#include "assay/core/result.hpp"
#include "assay/suite/case_record.hpp"
#include "assembled_suite.hpp"
#include "command_line.hpp"

namespace assay_program {

/// The kernel of a case ready to run, with what keeps its library running: `cases` has that case alone. Where the
/// library must be told of an instruction set before it starts, the program starts anew. Errors: the case is unknown,
/// its library is not there, or its kernel runs no records.
[[nodiscard]] assay::Result<AssembledSuite> recorded_kernel(const CommandLine& line, const std::string& id);

/// The case of the file that --case names, ready to run. Errors as `recorded_kernel`, and of the file.
[[nodiscard]] assay::Result<AssembledSuite> recorded_case(CommandLine line);

}  // namespace assay_program
