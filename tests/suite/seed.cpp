#include "assay/suite/seed.hpp"

#include <bit>
#include <cstdint>
#include <limits>
#include <string>

#include "testing/catch.hpp"

using assay::case_seed;

TEST_CASE("the parts of a case's seed agree with their published test vectors", "[suite]") {
  static_assert(assay::detail::fowler_noll_vo_1a("") == 0xCBF29CE484222325u);
  CHECK(assay::detail::fowler_noll_vo_1a("a") == 0xAF63DC4C8601EC8Cu);
  CHECK(assay::detail::fowler_noll_vo_1a("foobar") == 0x85944171F73967E8u);
  CHECK(assay::detail::splitmix64_finalize(0x9E3779B97F4A7C15u) == 0xE220A8397B1DCDAFu);
}

TEST_CASE("a case's seed never changes between versions", "[suite]") {
  const std::string id = "gemm/openblas/f32.f32.f32/m64-n64-k3000-nn-row/normal";
  CHECK(case_seed(0, "") == 0xAEBE53F85CDC3C4Cu);
  CHECK(case_seed(0, id) == 0x6C8DF1101A1C251Fu);
  CHECK(case_seed(1, id) == 0x0DDE0008152A947Eu);
  CHECK(case_seed(std::numeric_limits<std::uint64_t>::max(), "a") == 0x1E7F02CC87C0073Du);
  CHECK(case_seed(20240229, "gemm/onednn/bf16.f32.bf16/m7-n11-k13-tn-col/cancelling") == 0x01B83D17D08E5E07u);
  CHECK(case_seed(0, "\xC3\x97") == 0xEF70D93A16D9EDF1u);
}

TEST_CASE("seeds of neighboring cases and neighboring runs have nothing in common", "[suite]") {
  int least = 64, most = 0;
  for (std::uint64_t run = 0; run < 64; ++run) {
    const std::string id = "gemm/host/f32.f32.f32/m" + std::to_string(run);
    const int by_run = std::popcount(case_seed(run, id) ^ case_seed(run + 1, id));
    const int by_id = std::popcount(case_seed(run, id) ^ case_seed(run, id + "0"));
    for (const int differing : {by_run, by_id}) {
      least = differing < least ? differing : least;
      most = differing > most ? differing : most;
    }
  }
  CHECK(least > 12);
  CHECK(most < 52);
}
