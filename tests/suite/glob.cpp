#include "assay/suite/glob.hpp"

#include "testing/catch.hpp"

using assay::glob_matches;

TEST_CASE("a glob describes the whole text", "[suite]") {
  CHECK(glob_matches("", ""));
  CHECK(glob_matches("gemm", "gemm"));
  CHECK_FALSE(glob_matches("gemm", "gemm/host"));
  CHECK_FALSE(glob_matches("gemm/host", "gemm"));
  CHECK_FALSE(glob_matches("", "a"));
}

TEST_CASE("a star stands for any run of characters, none and slashes included", "[suite]") {
  CHECK(glob_matches("*", ""));
  CHECK(glob_matches("*", "gemm/host/f32"));
  CHECK(glob_matches("gemm/*/bf16*", "gemm/onednn/bf16.f32.bf16/m1/normal"));
  CHECK(glob_matches("*k3000*normal", "gemm/host/f32/m1-n1-k3000-nn/log_normal"));
  CHECK(glob_matches("a*b*c", "aXbYbZc"));
  CHECK(glob_matches("*ab", "aab"));
  CHECK(glob_matches("a**", "a"));
  CHECK_FALSE(glob_matches("a*b*c", "aXbYbZ"));
  CHECK_FALSE(glob_matches("*k3000", "k30000"));
}

TEST_CASE("a question mark stands for exactly one character", "[suite]") {
  CHECK(glob_matches("f?2", "f32"));
  CHECK(glob_matches("m6?-*", "m64-n64"));
  CHECK_FALSE(glob_matches("f?", "f"));
  CHECK_FALSE(glob_matches("f?", "f32"));
  CHECK_FALSE(glob_matches("?", ""));
}

TEST_CASE("only wildcards make a glob", "[suite]") {
  CHECK(assay::is_glob("gemm/*"));
  CHECK(assay::is_glob("f?2"));
  CHECK_FALSE(assay::is_glob("gemm/host/bf16.f32.bf16/m1-n1-k1-nn-row/[x]"));
}
