#include "assay/report/json.hpp"
#include "assay/report/junit_reader.hpp"
#include "assay/report/ocp_reader.hpp"
#include "fuzz/fuzz.hpp"

namespace {

using namespace assay;

/// A run that is read from another tool's form can be written in ours and read again.
void evidence(std::string_view text) {
  for (const Result<Run>& read : {run_from_junit(text), run_from_ocp(text)}) {
    if (!read) {
      fuzz::promise_message(read.error().message);
      continue;
    }
    fuzz::promise(run_from_json(json_text(read.value())).has_value(), "what is read can be written and read again");
  }
}

const fuzz::Registration registration_of_evidence("evidence", evidence);

}  // namespace
