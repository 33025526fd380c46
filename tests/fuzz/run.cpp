#include "assay/report/json.hpp"

#include "fuzz/fuzz.hpp"

namespace {

using namespace assay;

/// A run that is read is written and read again the same.
void run(std::string_view text) {
  const Result<Run> read = run_from_json(text);
  if (!read) return fuzz::promise_message(read.error().message);
  const std::string written = json_text(read.value());
  const Result<Run> again = run_from_json(written);
  fuzz::promise(again.has_value(), "what is written can be read");
  fuzz::promise(json_text(again.value()) == written, "the run is written and read again the same");
}

const fuzz::Registration registration_of_run("run", run);

}  // namespace
