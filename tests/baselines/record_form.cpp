#include "assay/baselines/record_form.hpp"

#include <map>

#include "baselines/sample_record.hpp"
#include "testing/catch.hpp"

using namespace assay;
using assay::testing::contains;
using assay::testing::sample_record;
using assay::testing::sealed;

namespace {

struct Parts {
  std::string line, header, data;
};
Parts parts_of(const std::string& text) {
  const std::size_t line = text.find('\n') + 1, header = text.find("\n}\n", line) + 3;
  return {text.substr(0, line), text.substr(line, header - line), text.substr(header)};
}

std::string refusal(const std::string& text) {
  const auto read = record_from_text(text);
  return read ? "" : read.error().message;
}

struct Dice {
  std::uint64_t state;
  std::uint64_t below(std::uint64_t end) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (state >> 33) % end;
  }
};

/// A change of some kind at some place.
std::string mutated(std::string text, Dice& dice) {
  const std::size_t place = text.empty() ? 0 : dice.below(text.size());
  switch (dice.below(6)) {
    case 0: text[place] = static_cast<char>(text[place] ^ (1 << dice.below(8))); break;
    case 1: text.resize(place); break;
    case 2: text.insert(place, 1 + dice.below(9), static_cast<char>(dice.below(256))); break;
    case 3: text.erase(place, 1 + dice.below(60)); break;
    case 4: {
      static const char* const words[] = {
          "-1", "1e999", "null", "[[[[[[", "18446744073709551616", "\"nan\"", "{}", "9223372036854775807",
          "0",  "true",  ":",    ","};
      text.replace(place, dice.below(8), words[dice.below(12)]);
      break;
    }
    default: text.replace(place, dice.below(20), text.substr(dice.below(text.size()), dice.below(40)));
  }
  return text;
}

}  // namespace

TEST_CASE("keys tell subjects apart, whatever stands in them") {
  const BaselineSubject plain{"a/b", "C", {{"seed", "1"}}};
  CHECK(baseline_key(plain) == baseline_key(plain));
  CHECK(is_store_key(baseline_key(plain)));
  CHECK(is_store_key(baseline_key(plain) + ".candidate"));
  std::map<std::string, int> seen;
  for (const BaselineSubject& subject : std::vector<BaselineSubject>{plain,
                                                                     {"a/b", "D", {{"seed", "1"}}},
                                                                     {"a", "b", {{"seed", "1"}}},
                                                                     {"a/b", "C", {}},
                                                                     {"a/b", "C", {{"seed", "2"}}},
                                                                     {"a/b", "C", {{"see", "d1"}}},
                                                                     {"a/b", "C", {{"seed", "1"}, {"x", ""}}},
                                                                     {"a/b", "C", {{"seed", "1\n1:x\n0:\n"}}},
                                                                     {"a/b\n1:C", "", {{"seed", "1"}}}})
    ++seen[baseline_key(subject)];
  CHECK(seen.size() == 9);
  // A fixed value: keys made by this version must be found by every later one.
  CHECK(baseline_key({"gemm", "C", {{"seed", "1"}}}) ==
        detail::sha256("assay-baseline-key/1\n4:gemm\n1:C\n4:seed\n1:1\n"));
  CHECK(detail::sha256("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");  // FIPS 180-4
}

TEST_CASE("a record comes back as it was, to the bit") {
  for (const Index samples : {Index{0}, Index{6}}) {
    const BaselineRecord record = sample_record(48, samples);
    const std::string text = record_text(record);
    const auto read = record_from_text(text);
    INFO(refusal(text));
    REQUIRE(read);
    const BaselineRecord& back = read.value();
    CHECK(record_text(back) == text);
    CHECK(back.subject == record.subject);
    CHECK(back.tensor.codes == record.tensor.codes);
    CHECK(back.tensor.sampled == record.tensor.sampled);
    CHECK(back.tensor.sums.row_sums == record.tensor.sums.row_sums);
    CHECK(back.tensor.sums.column_magnitudes == record.tensor.sums.column_magnitudes);
    CHECK(back.metrics[0].value == 1.0 / 3);
    CHECK(std::isnan(back.metrics[1].value));
    CHECK(back.environment.libraries == record.environment.libraries);
    CHECK(back.environment.memory_bytes == record.environment.memory_bytes);
    CHECK(back.approved_by == "Ada");
  }
  BaselineRecord empty = sample_record(0);
  CHECK(record_from_text(record_text(empty)).value().tensor.codes.empty());
}

TEST_CASE("people read the metadata at the head of the file") {
  const Parts parts = parts_of(record_text(sample_record()));
  for (const char* line : {"\n \"test\": \"gemm/cublas/bf16.f32.bf16/m3-n4/normal\",\n",
                           "\n \"approved_by\": \"Ada\",\n", "\n \"tolerance\": \"ulps=2\",\n"})
    CHECK_THAT(parts.header, contains(line));
  CHECK(parts.data.size() == 48);
}

TEST_CASE("every flipped bit is seen, and the damaged part is named") {
  for (const Index samples : {Index{0}, Index{5}}) {
    const std::string text = record_text(sample_record(12, samples));
    const Parts parts = parts_of(text);
    for (std::size_t byte = 0; byte < text.size(); ++byte)
      for (int bit = 0; bit < 8; ++bit) {
        std::string changed = text;
        changed[byte] = static_cast<char>(changed[byte] ^ (1 << bit));
        const std::string message = refusal(changed);
        const bool in_line = byte < parts.line.size(), in_header = byte < parts.line.size() + parts.header.size();
        const char* part = in_line ? "first line" : in_header ? "metadata (bytes" : "data (bytes";
        if (message.find("the record is damaged: ") == std::string::npos || message.find(part) == std::string::npos)
          FAIL("byte " << byte << ", bit " << bit << ": " << message);
      }
  }
}

TEST_CASE("every truncation is seen, and so is what follows the end") {
  const std::string text = record_text(sample_record());
  const std::size_t line = parts_of(text).line.size();
  for (std::size_t size = 0; size < text.size(); ++size) {
    const std::string message = refusal(text.substr(0, size));
    if (message.find(size < line ? "first line" : "it was cut off") == std::string::npos)
      FAIL(size << " bytes: " << message);
  }
  CHECK_THAT(refusal(text + "x"), contains("1 bytes follow its end"));
  CHECK_THAT(refusal(text + text), contains("bytes follow its end"));
  CHECK_THAT(refusal(std::string(5000, '\0')), contains("no first line"));
  // Zeros in the place of blocks, as file systems leave them after a power failure.
  for (std::size_t first = 0; first < text.size(); first += 64) {
    std::string changed = text;
    for (std::size_t i = first; i < std::min(first + 64, text.size()); ++i) changed[i] = '\0';
    CHECK_FALSE(refusal(changed).empty());
  }
}

TEST_CASE("a newer schema is told from damage") {
  const Parts parts = parts_of(record_text(sample_record()));
  for (const char* schema : {"2", "11", "3-draft"}) {
    const auto read = record_from_text(sealed("whatever a newer version writes", "there", schema));
    REQUIRE_FALSE(read);
    CHECK(read.error().kind == ErrorKind::unsupported);
    CHECK_THAT(read.error().message,
               contains(std::string("schema '") + schema + "'") && contains("use a newer version"));
  }
  CHECK_FALSE(refusal(sealed(parts.header, parts.data)).size());
}

TEST_CASE("records with right digests that contradict themselves are none") {
  const Parts whole = parts_of(record_text(sample_record())), sampled = parts_of(record_text(sample_record(48, 6)));
  const auto changed = [](Parts parts, const std::string& from, const std::string& to) {
    const std::size_t place = parts.header.find(from);
    REQUIRE(place != std::string::npos);
    parts.header.replace(place, from.size(), to);
    return refusal(sealed(parts.header, parts.data));
  };
  CHECK_THAT(changed(whole, "gemm/cublas", "gemm/rocblas"), contains("its subject has the key"));
  CHECK_THAT(changed(whole, "\"code_bytes\": 4", "\"code_bytes\": 8"),
             contains("48 bytes of data; its metadata tell of 96"));
  CHECK_THAT(changed(whole, "\"code_bytes\": 4", "\"code_bytes\": 0"), contains("expected 1 to 8"));
  CHECK_THAT(changed(whole, "\"extents\": [\n  3,", "\"extents\": [\n  -3,"), contains("extents that no tensor has"));
  CHECK_THAT(changed(whole, "\"extents\": [\n  3,", "\"extents\": [\n  9223372036854775807,"),
             contains("extents that no tensor has"));
  CHECK_THAT(changed(whole, "\"tolerance\": ", "\"tolerant\": "), contains("tolerance"));
  CHECK_THAT(changed(whole, "\"tensor_sha256\": \"", "\"tensor_sha256\": \"0"), contains("not that of its data"));
  CHECK_THAT(changed(whole, "\"note\": ", "\"test\": \"twice\",\n \"note\": "),
             contains("a second member of this name"));
  CHECK_THAT(changed(sampled, "\"samples\": 6", "\"samples\": 7"), contains("bytes of data"));
  CHECK_THAT(changed(sampled, "\"samples\": 6", "\"samples\": 49"), contains("49 samples of 48"));
  CHECK_THAT(changed(sampled, "\"columns\": 4", "\"columns\": 5"), contains("do not fold"));
  Parts unordered = sampled;
  for (std::size_t i = 0; i < 8; ++i) unordered.data[24 + i] = '\x7F';
  CHECK_THAT(refusal(sealed(unordered.header, unordered.data)), contains("not in order, or beyond the tensor"));
  CHECK_THAT(refusal(sealed("", "")), contains("JSON"));
  CHECK_THAT(refusal(sealed("[]", "")), contains("another program"));
}

TEST_CASE("no mutation is loaded or does harm") {
  Dice dice{20261122};
  const std::string texts[] = {record_text(sample_record(12)), record_text(sample_record(48, 6))};
  std::size_t accepted = 0, refused = 0;
  for (int round = 0; round < 6000; ++round) {
    const std::string& text = texts[dice.below(2)];
    std::string changed = mutated(text, dice);
    if (changed != text && refusal(changed).empty()) FAIL("loaded: " << changed);
    // With its digests made right, the reader of the metadata stands alone.
    Parts parts = parts_of(text);
    (dice.below(4) == 0 ? parts.data : parts.header) = mutated(dice.below(4) == 0 ? parts.data : parts.header, dice);
    const auto read = record_from_text(sealed(parts.header, parts.data));
    ++(read ? accepted : refused);
    if (read) static_cast<void>(record_text(read.value()));
  }
  CHECK(refused > 1000);
  CHECK(accepted > 10);  // mutations of notes and names are texts as good as the others
}
