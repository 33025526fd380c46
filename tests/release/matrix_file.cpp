#include "assay/release/matrix_file.hpp"

#include <filesystem>
#include <fstream>
#include <random>
#include <string>

#include "assay/release/expand_matrix.hpp"
#include "release/refused_form.hpp"
#include "testing/catch.hpp"

using namespace assay;

namespace {

const std::string whole = R"({
  "schema": "assay-matrix/1",
  "title": "drivers and toolkits",
  "axes": [
    {"name": "driver", "values": ["450.80.02", "550.54", "580.1"]},  // as nvidia-smi tells it
    {"name": "cuda", "values": ["11.8", "12.6", "13.0"]},
    {"name": "framework", "values": ["pytorch", "jax"]}
  ],
  "rules": [
    "cuda >= 13 requires driver >= 580",
    {"name": "old toolkits", "rule": "cuda < 12 excludes framework == jax", "reason": "jax dropped them"},
    {"when": {"cuda": "12.6", "framework": "jax"}, "requires": {"driver": ">= 550 | 470.*"}, "reason": "its wheels say so"},
    {"when": {"driver": "450.*"}, "excludes": {"cuda": ">= 12"}}
  ]
})";

std::string refusal(const std::string& from, const std::string& to) {
  return assay::testing::refusal_of([](const std::string& text) { return parse_matrix(text); }, whole, from, to);
}

}  // namespace

TEST_CASE("a matrix with rules in every form") {
  const auto read = parse_matrix(whole);
  INFO((read ? std::string() : read.error().message));
  REQUIRE(read);
  const VersionMatrix& matrix = read.value();
  CHECK(matrix.title == "drivers and toolkits");
  REQUIRE(matrix.axes.size() == 3);
  CHECK(matrix.axes[0].name == "driver");  // in the order of the file
  CHECK(matrix.axes[1].values[2] == "13.0");
  REQUIRE(matrix.rules.size() == 4);
  CHECK(matrix.rules[1].name == "old toolkits");
  CHECK(matrix.rules[1].reason == "jax dropped them");
  CHECK(matrix.rules[2].kind == MatrixRule::Kind::needs);
  CHECK(matrix.rules[2].when.size() == 2);
  CHECK(matrix.rules[2].name == "cuda 12.6 and framework jax requires driver >= 550 | 470.*");
  CHECK(matrix.rules[3].kind == MatrixRule::Kind::excludes);
  CHECK(expand(matrix).value().combinations.size() == 3 + 4 + 2);  // 11.8: pytorch on 3; 12.6 on 2 × 2; 13.0 on 1 × 2
}

TEST_CASE("what is wrong is named, with the nearest") {
  using testing::contains;
  CHECK_THAT(
      refusal("requires driver >= 580", "requires drivr >= 580"),
      contains("the rule 'cuda >= 13 requires drivr >= 580'") && contains("unknown axis 'drivr'; nearest: driver"));
  CHECK_THAT(refusal("cuda >= 13 requires", "cuda >= 13 require"),
             contains("/rules/0") && contains("neither 'requires' nor 'excludes'"));
  CHECK_THAT(refusal("\"reason\"", "\"reasons\""), contains("/rules/1") && contains("nearest: reason"));
  CHECK_THAT(refusal("\"values\"", "\"value\""), contains("/axes/0") && contains("nearest: values"));
  CHECK_THAT(refusal("{\"driver\": \">= 550 | 470.*\"}", "{\"driver\": \">= \"}"),
             contains("/rules/2/requires/driver") && contains("missing at its end"));
  CHECK_THAT(refusal("\"requires\": {", "\"excludes\": {}, \"requires\": {"),
             contains("/rules/2") && contains("either"));
  CHECK_THAT(refusal("{\"when\": {\"driver\"", "{\"rule\": \"x == 1 requires y == 1\", \"when\": {\"driver\""),
             contains("/rules/3") && contains("not both"));
  CHECK_THAT(refusal("[\"pytorch\", \"jax\"]", "[]"), contains("/axes/2/values"));
  CHECK_THAT(refusal("[\"pytorch\", \"jax\"]", "[2.1]"), contains("/axes/2/values/0") && contains("a string"));
  CHECK_THAT(refusal("\"framework\", \"values\"", "\"driver\", \"values\""), contains("given twice"));
  CHECK_THAT(refusal("assay-matrix/1", "assay-matrix/9"), contains("assay-matrix/1"));
  CHECK_THAT(refusal("\"550.54\"", "\"latest\""), contains("'latest' is no version"));
}

TEST_CASE("files are read, and named where they cannot be") {
  const auto path = std::filesystem::temp_directory_path() / "assay-matrix-test.json";
  std::ofstream(path) << whole;
  CHECK(read_matrix(path));
  std::ofstream(path) << "{";
  CHECK_THAT(read_matrix(path).error().message, testing::contains("assay-matrix-test.json"));
  std::filesystem::remove(path);
  CHECK(read_matrix(path).error().kind == ErrorKind::not_found);
}

TEST_CASE("mutated matrices are read or refused with a reason, never worse") {
  std::mt19937 random(1);
  std::size_t read = 0, refused = 0;
  const std::string words[] = {
      "\"", "{", "}", "[", "]", ",", ":", "null", ">=", "requires", "|", "..", "\xff", "/*", "99999999999999999999"};
  for (int i = 0; i < 6000; ++i) {
    std::string text = whole;
    for (auto edits = 1 + random() % 2; edits > 0; --edits) {
      const std::size_t at = random() % text.size();
      switch (random() % 3) {
        case 0: text.erase(at, 1 + random() % 4); break;
        case 1: text.insert(at, words[random() % std::size(words)]); break;
        default: text[at] = static_cast<char>(random() % 256);
      }
    }
    const auto matrix = parse_matrix(text);
    (matrix ? read : refused) += 1;
    if (matrix)
      REQUIRE(expand(matrix.value()));
    else
      REQUIRE_FALSE(matrix.error().message.empty());
  }
  CHECK(read > 200);
  CHECK(refused > 2000);
}
