#include "assay/validators/minimize/case_file.hpp"

#include "fuzz/fuzz.hpp"

namespace {

using namespace assay;

/// A case that is read is written and read again the same.
void recorded_case(std::string_view text) {
  const Result<CaseRecord> read = read_case_text(text);
  if (!read) return fuzz::promise_message(read.error().message);
  const std::string written = case_text(read.value());
  const Result<CaseRecord> again = read_case_text(written);
  fuzz::promise(again.has_value(), "what is written can be read");
  fuzz::promise(case_text(again.value()) == written, "the case is written and read again the same");
  for (std::size_t i = 0; i < read.value().operands.size(); ++i)
    fuzz::promise(read.value().operands[i].codes == again.value().operands[i].codes, "operands have the same bits");
}

const fuzz::Registration registration_of_case("case", recorded_case);

}  // namespace
