#include "assay/baselines/record_form.hpp"

#include "fuzz/bytes.hpp"
#include "fuzz/fuzz.hpp"

namespace {

using namespace assay;

/// A record that is read is written and read again the same; one that a byte is missing of is refused.
void promise_record(const std::string& text) {
  const Result<BaselineRecord> read = record_from_text(text);
  if (!read) return fuzz::promise_message(read.error().message);
  const std::string written = record_text(read.value());
  const Result<BaselineRecord> again = record_from_text(written);
  fuzz::promise(again.has_value(), "what is written can be read");
  fuzz::promise(record_text(again.value()) == written, "the record is written and read again the same");
  fuzz::promise(!record_from_text(std::string_view(written).substr(0, written.size() - 1)),
                "a record that was cut off is refused");
}

/// Metadata up to the first NUL, then data: what another program may have written, with every digest right.
void baseline(std::string_view bytes) {
  promise_record(std::string(bytes));
  fuzz::Bytes parts(bytes);
  const std::string header = parts.take_text();
  promise_record(detail::framed(header, parts.rest()));
}

const fuzz::Registration registration_of_baseline("baseline", baseline);

}  // namespace
