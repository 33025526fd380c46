#include "assay/core/nearest_name.hpp"

#include "testing/catch.hpp"

using assay::edit_distance;
using assay::nearest_names;
using Names = std::vector<std::string>;

TEST_CASE("the edit distance counts insertions, deletions and substitutions", "[core]") {
  CHECK(edit_distance("", "") == 0);
  CHECK(edit_distance("", "abc") == 3);
  CHECK(edit_distance("abc", "") == 3);
  CHECK(edit_distance("kitten", "sitting") == 3);
  CHECK(edit_distance("opnblas", "openblas") == 1);
  CHECK(edit_distance("flaw", "lawn") == 2);
  CHECK(edit_distance("ab", "ba") == 2);
}

TEST_CASE("the edit distance is a metric", "[core]") {
  const Names words{"", "a", "ab", "ba", "abc", "bcd", "host", "hots", "ghost", "onednn"};
  for (const std::string& a : words)
    for (const std::string& b : words) {
      CHECK(edit_distance(a, b) == edit_distance(b, a));
      CHECK((edit_distance(a, b) == 0) == (a == b));
      for (const std::string& c : words) CHECK(edit_distance(a, c) <= edit_distance(a, b) + edit_distance(b, c));
    }
}

TEST_CASE("the nearest names come first, and strangers not at all", "[core]") {
  const Names backends{"eigen", "host", "kokkos", "onednn", "openblas"};
  CHECK(nearest_names("opnblas", backends) == Names{"openblas"});
  CHECK(nearest_names("hosst", backends) == Names{"host"});
  CHECK(nearest_names("blas", backends) == Names{"openblas"});
  CHECK(nearest_names("zzzzzzzz", backends).empty());
  CHECK(nearest_names("", Names{"abc"}).empty());
  CHECK(nearest_names("anything", {}).empty());
  CHECK(nearest_names("f16", {"f8", "f32", "bf16", "f16x"}, 2) == Names{"bf16", "f16x"});
  CHECK(nearest_names("aaaa", {"aabb", "aaab", "aaaa"}) == Names{"aaaa", "aaab", "aabb"});
  CHECK(nearest_names("gem", {"fused_gemm", "grouped_gemm", "gemm", "int8_gemm"}) ==
        Names{"gemm", "fused_gemm", "grouped_gemm"});
  CHECK(nearest_names("aaaa", {"aabb", "aaab", "aaaa"}, 0).empty());
}

TEST_CASE("an unknown name is answered with what is near and what there is", "[core]") {
  CHECK(assay::unknown_name("backend", "opnblas", {"eigen", "openblas"}) ==
        "unknown backend 'opnblas'; nearest: openblas; known: eigen, openblas");
  CHECK(assay::unknown_name("fill", "zzzzzzzzz", {"uniform"}) == "unknown fill 'zzzzzzzzz'; known: uniform");
}
