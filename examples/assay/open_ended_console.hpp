#pragma once

#include <string>

#include "assay/report/console.hpp"

namespace assay_program {

/// Shows a run as it goes on, but not its end: that is for the caller to tell, when all is known of the outcomes.
struct OpenEndedConsole {
  assay::Console& console;
  void started(const assay::Run& run) { console.started(run); }
  void case_started(const std::string& id) { console.case_started(id); }
  void case_finished(const assay::Outcome& outcome) { console.case_finished(outcome); }
  void finished(const assay::Run&) {}
};

}  // namespace assay_program
