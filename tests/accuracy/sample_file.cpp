#include "assay/accuracy/sample_file.hpp"

#include <cmath>

#include "accuracy/has.hpp"
#include "testing/catch.hpp"

namespace {

using namespace assay;
using testing::has;

std::string refusal(const std::string& text) {
  const auto file = parse_sample_lines(text, "p.jsonl");
  return file ? "taken" : file.error().message;
}

}  // namespace

TEST_CASE("JSON lines of samples", "[accuracy]") {
  const auto file = parse_sample_lines(
      "{\"id\":\"a\",\"text\":\"x\",\"more\":1}\n\n{\"id\":7,\"scores\":[1,NaN,-Infinity],\"label\":2}\r\n", "p.jsonl");
  REQUIRE(file);
  CHECK(file.value().has_ids);
  CHECK(file.value().records[0].texts == std::vector<std::string>{"x"});
  CHECK(file.value().records[1].id == "7");
  CHECK(file.value().records[1].line == 3);
  CHECK(std::isnan(file.value().records[1].numbers[1]));
  CHECK(std::isinf(file.value().records[1].numbers[2]));
  CHECK(file.value().records[1].label == 2);
  CHECK(parse_sample_lines("{\"logprobs\":[-0.5,null]}", "p").value().records[0].numbers[0] == 0.5);
}

TEST_CASE("Lines that are refused are named", "[accuracy]") {
  CHECK(has(refusal("{\"text\":\"a\"}\n{\"text\":3}"), "line 2"));
  CHECK(has(refusal("[1]"), "no JSON object"));
  CHECK(has(refusal("{\"id\":1}\n{\"id\":2}\n{\"id\":1}"), "line 3: the id '1' stands in line 1 already"));
  CHECK(has(refusal("{\"id\":1}\n{\"text\":\"\"}"), "line 2: \"id\" is missing"));
  CHECK(has(refusal("{\"scores\":[\"one\"]}"), "no number"));
  CHECK(has(refusal("{\"scores\":[1],\"losses\":[1]}"), "stands beside other numbers"));
  CHECK(has(refusal("{\"label\":1.5}"), "no whole number"));
  CHECK(refusal("{\"id\":\"NaN\",\"text\":\"NaN \\\" Infinity\"}") == "taken");
}

TEST_CASE("Text files keep empty lines and must be UTF-8", "[accuracy]") {
  const auto file = parse_text_lines("a\r\n\nb", "t.txt");
  REQUIRE(file);
  CHECK(file.value().records.size() == 3);
  CHECK(file.value().records[0].texts.front() == "a");
  CHECK(file.value().records[1].texts.front().empty());
  CHECK(has(parse_text_lines("ok\nb\xC3", "t.txt").error().message, "line 2: byte 2 is not UTF-8"));
}

TEST_CASE("Samples are paired by id, and nothing is dropped silently", "[accuracy]") {
  auto ours = parse_sample_lines("{\"id\":\"b\",\"text\":\"2\"}\n{\"id\":\"a\",\"text\":\"1\"}", "p").value();
  const auto theirs = parse_sample_lines("{\"id\":\"a\"}\n{\"id\":\"b\"}", "r").value();
  REQUIRE(align_samples(ours, theirs));
  CHECK(ours.records[0].texts.front() == "1");
  auto missing = parse_sample_lines("{\"id\":\"a\"}", "p").value();
  CHECK(has(align_samples(missing, theirs).error().message, "lacks 1 of 2 ids: 'b' (line 2 of 'r')"));
  auto more = parse_sample_lines("{\"id\":\"a\"}\n{\"id\":\"b\"}\n{\"id\":\"c\"}", "p").value();
  CHECK(has(align_samples(more, theirs).error().message, "has 1 ids that 'r' lacks: 'c' (line 3)"));
  auto lines = parse_text_lines("a\nb\nc", "p").value();
  CHECK(has(align_samples(lines, theirs).error().message, "has 3 samples and 'r' has 2"));
}
