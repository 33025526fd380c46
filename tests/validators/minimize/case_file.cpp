#include "assay/validators/minimize/case_file.hpp"

#include <catch2/catch.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "assay/formats/element_format.hpp"

using namespace assay;

namespace {

CaseRecord sample() {
  CaseRecord record;
  record.id = "softmax/host/bf16/4x9x1/normal";
  record.problem = {
      {"outer", "4"}, {"temperature", "0.1"}, {"logarithm", "false"}, {"input", "bf16"}, {"bound", "inf"}};
  record.data = "normal";
  record.seed = 18446744073709551615u;
  record.row_padding = 3;
  record.repetitions = 2;
  record.require_determinism = true;
  record.tolerance = "ulps=2";
  record.reason = "2 of 36 elements lie outside \"their\" interval";
  return record;
}

bool same(const CaseRecord& a, const CaseRecord& b) {
  return case_text(a) == case_text(b);
}

}  // namespace

TEST_CASE("a record is read back as it was written") {
  const CaseRecord record = sample();
  const auto back = read_case_text(case_text(record));
  REQUIRE(back);
  CHECK(same(back.value(), record));
  CHECK(back.value().seed == record.seed);
  CHECK(back.value().problem[1].value == "0.1");
  CHECK(back.value().problem[4].value == "inf");
  CHECK(back.value().repetitions == 2);
  CHECK(back.value().tolerance == "ulps=2");
  CHECK(back.value().verdict == Verdict::fail);
}

TEST_CASE("a problem without fields is read back, too") {
  CaseRecord record = sample();
  record.problem.clear();
  const auto back = read_case_text(case_text(record));
  REQUIRE(back);
  CHECK(back.value().problem.empty());
  CHECK(same(back.value(), record));
}

TEST_CASE("values are numbers, and every code comes back: NaN payloads, signed zero, integers beyond 2^53") {
  CaseRecord record = sample();
  record.rounding = RoundingModel::statistical;
  std::vector<std::uint64_t> all;
  for (std::uint64_t code = 0; code < 65536; ++code) all.push_back(code);
  record.operands.push_back({"x", "bf16", {256, 256}, all});
  record.operands.push_back({"i", "int64", {3}, {1, ~std::uint64_t{0}, (std::uint64_t{1} << 53) + 1}});
  record.operands.push_back({"y", "bf16", {256, 256}, {}});
  const auto back = read_case_text(case_text(record));
  REQUIRE(back);
  REQUIRE(back.value().operands.size() == 3);
  for (std::size_t i = 0; i < 3; ++i) {
    CHECK(back.value().operands[i].codes == record.operands[i].codes);
    CHECK(back.value().operands[i].extents == record.operands[i].extents);
  }
  CHECK(back.value().rounding == RoundingModel::statistical);
  CHECK(case_text(record).find("0x7fc1") != std::string::npos);
}

TEST_CASE("files that are no cases are refused with what is wrong") {
  std::string text = case_text(sample()), part;
  const auto replace = [&](const std::string& from, const std::string& to) {
    text.replace(text.find(from), from.size(), to);
  };
  SECTION("no JSON") {
    text = "case", part = "parse";
  }
  SECTION("another schema") {
    replace("assay-case/1", "assay-case/9"), part = "assay-case/9";
  }
  SECTION("no id") {
    replace("\"id\"", "\"name\""), part = "id";
  }
  SECTION("a verdict of no name") {
    replace("\"fail\"", "\"failed\""), part = "failed";
  }
  SECTION("a seed that is none") {
    replace("18446744073709551615", "x"), part = "seed";
  }
  SECTION("less than no padding") {
    replace("\"row_padding\": 3", "\"row_padding\": -3"), part = "row_padding is -3";
  }
  SECTION("repetitions that are no whole number") {
    replace("\"repetitions\": 2", "\"repetitions\": 1e300"), part = "repetitions is 1e+300";
  }
  SECTION("no run at all") {
    replace("\"repetitions\": 2", "\"repetitions\": 0"), part = "from 1 to";
  }
  SECTION("neither pattern nor operands") {
    replace("\"pattern\"", "\"patern\""), part = "operands";
  }
  const auto refused = read_case_text(text);
  REQUIRE_FALSE(refused);
  CHECK(refused.error().kind == ErrorKind::malformed);
  INFO(refused.error().message);
  CHECK(refused.error().message.find(part) != std::string::npos);
}

TEST_CASE("a file that cannot be read is named") {
  const auto refused = read_case("/nowhere/case.json");
  REQUIRE_FALSE(refused);
  CHECK(refused.error().kind == ErrorKind::not_found);
  CHECK(refused.error().message.find("/nowhere/case.json") != std::string::npos);
}
