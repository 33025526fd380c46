#include "assay/core/vector_variants.hpp"

#include <catch2/catch.hpp>
#include <vector>

using namespace assay;

namespace {

/// Sums in lanes, and the rest one by one.
struct Sum {
  template <std::size_t VectorBytes>
  ASSAY_DETAIL_INLINE static void run(const double* values, std::size_t count, double& sum) {
    using Values = detail::Vector<double, VectorBytes>;
    typename Values::Type lanes = {};
    std::size_t i = 0;
    for (; i + Values::lanes <= count; i += Values::lanes)
      lanes += *reinterpret_cast<const typename Values::Unaligned*>(values + i);
    sum = 0;
    for (std::size_t lane = 0; lane < Values::lanes; ++lane) sum += lanes[lane];
    for (; i < count; ++i) sum += values[i];
  }
};

struct Width {
  template <std::size_t VectorBytes>
  ASSAY_DETAIL_INLINE static void run(std::size_t& bytes) {
    bytes = VectorBytes;
  }
};

}  // namespace

TEST_CASE("every variant that this machine runs computes the same, from any address") {
  std::vector<double> values(1003);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<double>(i);
  for (InstructionSet set : all_instruction_sets) {
    if (set > widest_instruction_set()) continue;
    for (std::size_t offset = 0; offset < 4; ++offset) {
      const double* start = values.data() + offset;
      std::size_t count = values.size() - offset;
      double sum = 0;
      detail::run_variant<Sum>(set, start, count, sum);
      CHECK(sum == 1003.0 * 1002.0 / 2 - static_cast<double>(offset * (offset - 1) / 2));
    }
  }
}

TEST_CASE("each instruction set has its own width") {
  for (InstructionSet set : all_instruction_sets) {
    if (set > widest_instruction_set()) continue;
    std::size_t bytes = 0;
    detail::run_variant<Width>(set, bytes);
    CHECK(bytes == std::size_t{16} << static_cast<int>(set));
  }
}
