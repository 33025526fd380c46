#include "assay/suite/selection.hpp"

#include <algorithm>
#include <cstddef>
#include <set>
#include <string>
#include <vector>

#include "testing/catch.hpp"

namespace {

using assay::Selection;
using Positions = std::vector<std::size_t>;

assay::Case make_case(const std::string& backend, const std::string& formats, const std::string& shape,
                      const std::string& data, std::vector<std::string> tags = {}) {
  assay::Case entry;
  entry.id = "gemm/" + backend + "/" + formats + "/" + shape + "/" + data;
  entry.labels = {{"operation", "gemm"}, {"backend", backend}, {"formats", formats}, {"shape", shape}, {"data", data}};
  entry.tags = std::move(tags);
  entry.run = [](const assay::CaseContext&) { return assay::Outcome{}; };
  return entry;
}

/// 0: openblas f32 m1 uniform · 1: openblas f32 m2 normal · 2: onednn bf16 m1 uniform · 3: onednn bf16 m2 normal
/// (large) · 4: eigen f16×bf16 m1 uniform · 5: a reduction
assay::Suite small_suite() {
  assay::Suite suite{make_case("openblas", "f32.f32.f32", "m1", "uniform"),
                     make_case("openblas", "f32.f32.f32", "m2", "normal"),
                     make_case("onednn", "bf16.f32.bf16", "m1", "uniform"),
                     make_case("onednn", "bf16.f32.bf16", "m2", "normal", {"large"}),
                     make_case("eigen", "f16xbf16.f32.f32", "m1", "uniform", {"mixed"})};
  assay::Case reduction = make_case("eigen", "f64.f64.f64", "m9", "normal");
  reduction.id = "sum/eigen/f64.f64.f64/m9/normal";
  reduction.labels["operation"] = "sum";
  suite.push_back(reduction);
  return suite;
}

Positions selected(const Selection& selection) {
  const auto result = select(small_suite(), selection);
  INFO((result ? std::string() : result.error().message));
  REQUIRE(result);
  return result.value();
}

assay::Error refused(const Selection& selection) {
  const auto result = select(small_suite(), selection);
  REQUIRE_FALSE(result);
  return result.error();
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("an empty selection is everything that is not large, in the order of the suite", "[suite]") {
  CHECK(selected({}) == Positions{0, 1, 2, 4, 5});
  Selection selection;
  selection.include_large = true;
  CHECK(selected(selection) == Positions{0, 1, 2, 3, 4, 5});
}

TEST_CASE("entries of one list are alternatives, lists restrict each other", "[suite]") {
  Selection selection;
  selection.backends = {"openblas", "eigen"};
  CHECK(selected(selection) == Positions{0, 1, 4, 5});
  selection.operations = {"gemm"};
  CHECK(selected(selection) == Positions{0, 1, 4});
  selection.data = {"uniform"};
  CHECK(selected(selection) == Positions{0, 4});
  selection.shapes = {"m?"};
  selection.formats = {"f32.f32.f32"};
  CHECK(selected(selection) == Positions{0});
}

TEST_CASE("a format selects the cases with such an input, not with such an accumulator or output", "[suite]") {
  Selection selection;
  selection.formats = {"f32"};
  CHECK(selected(selection) == Positions{0, 1});
  selection.formats = {"bf16"};
  CHECK(selected(selection) == Positions{2, 4});
  selection.formats = {"f16"};
  CHECK(selected(selection) == Positions{4});
  selection.formats = {"*.f32.f32"};
  CHECK(selected(selection) == Positions{0, 1, 4});
}

TEST_CASE("formats with an x in their name are not taken apart", "[suite]") {
  using Names = std::vector<std::string>;
  CHECK(assay::detail::names_of_formats("mxfp4.f32.f32") == Names{"mxfp4.f32.f32", "mxfp4"});
  CHECK(assay::detail::names_of_formats("mxfp8xmxfp4.f32.f32") == Names{"mxfp8xmxfp4.f32.f32", "mxfp8", "mxfp4"});
  CHECK(assay::detail::names_of_formats("f32") == Names{"f32"});
}

TEST_CASE("only and exclude take ids and globs", "[suite]") {
  Selection selection;
  selection.only = {"gemm/openblas/f32.f32.f32/m2/normal", "sum/*"};
  CHECK(selected(selection) == Positions{1, 5});
  selection.exclude = {"*/eigen/*"};
  CHECK(selected(selection) == Positions{1});
  selection.only = {};
  CHECK(selected(selection) == Positions{0, 1, 2});
}

TEST_CASE("large cases run when asked for: by the switch, by the tag, or by their whole id", "[suite]") {
  Selection selection;
  selection.only = {"gemm/onednn/bf16.f32.bf16/m2/normal"};
  CHECK(selected(selection) == Positions{3});
  selection.only = {"gemm/onednn/*"};
  CHECK(selected(selection) == Positions{2});
  selection.include_large = true;
  CHECK(selected(selection) == Positions{2, 3});
  selection = {};
  selection.tags = {"large"};
  CHECK(selected(selection) == Positions{3});
  selection.tags = {"large", "mixed"};
  CHECK(selected(selection) == Positions{3, 4});
}

TEST_CASE("large cases that a glob alone selects are pointed out", "[suite]") {
  Selection selection;
  selection.only = {"gemm/onednn/*/normal"};
  const assay::Error error = refused(selection);
  CHECK(error.kind == assay::ErrorKind::not_found);
  CHECK(error.message ==
        "nothing is selected: the exclusion of large cases leaves none of the 1 case that passed only "
        "gemm/onednn/*/normal; they are all "
        "large: ask for large "
        "cases");
}

TEST_CASE("an unknown name is refused with the nearest ones", "[suite]") {
  Selection selection;
  selection.backends = {"openblas", "opnblas"};
  CHECK(refused(selection).kind == assay::ErrorKind::not_found);
  CHECK(refused(selection).message == "unknown backend 'opnblas'; nearest: openblas; known: eigen, onednn, openblas");
  selection = {};
  selection.operations = {"gem"};
  CHECK(has(refused(selection).message, "unknown operation 'gem'; nearest: gemm"));
  selection = {};
  selection.formats = {"bf61"};
  CHECK(has(refused(selection).message, "unknown format 'bf61'; nearest: bf16"));
  selection = {};
  selection.data = {"unifrom"};
  CHECK(has(refused(selection).message, "unknown fill 'unifrom'; nearest: uniform"));
  selection = {};
  selection.shapes = {"m7"};
  CHECK(has(refused(selection).message, "unknown shape 'm7'; nearest: m1"));
  selection = {};
  selection.tags = {"lagre"};
  CHECK(has(refused(selection).message, "unknown tag 'lagre'; nearest: large"));
  selection = {};
  selection.only = {"gemm/onednn/bf16.f32.bf16/m1/unifrom"};
  CHECK(has(refused(selection).message,
            "unknown case 'gemm/onednn/bf16.f32.bf16/m1/unifrom'; nearest: gemm/onednn/bf16.f32.bf16/m1/uniform"));
  selection = {};
  selection.exclude = {"*/cublas/*"};
  CHECK(has(refused(selection).message, "no case matches '*/cublas/*'"));
}

TEST_CASE("an unknown name is refused even if its neighbors in the list are known and other filters are narrow",
          "[suite]") {
  Selection selection;
  selection.only = {"sum/*"};
  selection.backends = {"eigen", ""};
  CHECK(has(refused(selection).message, "unknown backend ''"));
}

TEST_CASE("the messages about long lists stay short", "[suite]") {
  assay::Suite suite;
  for (int i = 100; i < 1000; ++i) suite.push_back(make_case("host", "f32.f32.f32", "m" + std::to_string(i), "normal"));
  Selection selection;
  selection.shapes = {"something-else"};
  const std::string unknown = select(suite, selection).error().message;
  CHECK(unknown == "unknown shape 'something-else'; the suite has 900 shape names, such as m100");
  selection.shapes = {"m5x5"};
  CHECK(has(select(suite, selection).error().message, "unknown shape 'm5x5'; nearest: m5"));
  selection.shapes = {"z*"};
  CHECK(select(suite, selection).error().message ==
        "no shape matches 'z*'; the suite has 900 shape names, such as m100");
}

TEST_CASE("the filter that empties a selection is named, with those before it", "[suite]") {
  Selection selection;
  selection.backends = {"openblas"};
  selection.formats = {"bf16"};
  CHECK(refused(selection).message ==
        "nothing is selected: format bf16 leaves none of the 2 cases that passed backend openblas");
  selection = {};
  selection.operations = {"gemm"};
  selection.exclude = {"gemm/*"};
  CHECK(refused(selection).message ==
        "nothing is selected: exclude gemm/* leaves none of the 5 cases that passed operation gemm");
  selection = {};
  selection.operations = {"sum"};
  selection.formats = {"bf16"};
  CHECK(refused(selection).message ==
        "nothing is selected: format bf16 leaves none of the 1 case that passed operation sum; format bf16 is of gemm");
  selection = {};
  selection.exclude = {"*"};
  CHECK(refused(selection).message == "nothing is selected: exclude * leaves none of the 6 cases of the suite");
}

TEST_CASE("an empty suite selects nothing, and says so", "[suite]") {
  const auto result = assay::select({}, {});
  REQUIRE_FALSE(result);
  CHECK(result.error().message == "nothing is selected: the suite holds no cases");
}

TEST_CASE("shards are disjoint, together whole, and even", "[suite]") {
  assay::Suite suite;
  for (int i = 0; i < 103; ++i)
    suite.push_back(make_case("host", "f32.f32.f32", "m" + std::to_string(i), i % 2 == 0 ? "normal" : "uniform"));
  Selection selection;
  selection.data = {"normal"};
  const Positions whole = select(suite, selection).value();
  REQUIRE(whole.size() == 52);
  for (const std::size_t count : {1u, 2u, 7u, 52u}) {
    Positions together;
    for (std::size_t index = 1; index <= count; ++index) {
      selection.shard = {index, count};
      const Positions part = select(suite, selection).value();
      CHECK(part.size() >= whole.size() / count);
      CHECK(part.size() <= (whole.size() + count - 1) / count);
      CHECK(std::is_sorted(part.begin(), part.end()));
      together.insert(together.end(), part.begin(), part.end());
    }
    std::sort(together.begin(), together.end());
    CHECK(together == whole);
  }
}

TEST_CASE("shards that do not exist or hold nothing are refused", "[suite]") {
  Selection selection;
  selection.shard = {0, 2};
  CHECK(refused(selection).kind == assay::ErrorKind::invalid);
  selection.shard = {3, 2};
  CHECK(has(refused(selection).message, "shard 3/2 does not exist"));
  selection.shard = {6, 6};
  CHECK(refused(selection).message ==
        "nothing is selected: shard 6/6 leaves none of the 5 cases that passed the exclusion of large cases; there are "
        "more shards than "
        "cases: use fewer");
}
