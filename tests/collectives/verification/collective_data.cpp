#include "assay/collectives/verification/collective_data.hpp"

#include <numeric>
#include <set>

#include "testing/catch.hpp"

using namespace assay;

namespace {

constexpr std::array<CollectiveDataKind, 6> kinds{CollectiveDataKind::decode,  CollectiveDataKind::exact,
                                                  CollectiveDataKind::random,  CollectiveDataKind::canceling,
                                                  CollectiveDataKind::special, CollectiveDataKind::order_probe};

/// What ranks that add one after another in the type's own arithmetic get.
std::uint64_t folded(const CollectiveData& data, Index element, const std::vector<int>& order) {
  const CollectiveProblem& problem = data.problem();
  const ElementType type = problem.type;
  const auto given = [&](int rank) {
    const std::uint64_t code = data.given(5, rank, element);
    if (problem.reduction != ReductionOperator::premultiplied_sum) return code;
    const double factor = data.pattern().multiplier(rank);
    return is_integer(type) ? (code * static_cast<std::uint64_t>(factor)) & detail::code_mask(type)
                            : detail::code_of(type, detail::value_of(type, code) * factor);
  };
  std::uint64_t code = given(order.front());
  for (std::size_t i = 1; i < order.size(); ++i) {
    const std::uint64_t next = given(order[i]);
    if (detail::is_nan_code(type, code) || detail::is_nan_code(type, next))
      code = detail::float_layout_of(type).nan_bits();
    else
      code = detail::reduced(type, problem.reduction, code, next);
  }
  if (problem.reduction != ReductionOperator::average) return code;
  const auto ranks = static_cast<std::int64_t>(order.size());
  return is_integer(type) ? static_cast<std::uint64_t>(detail::integer_of(type, code) / ranks) & detail::code_mask(type)
                          : detail::code_of(type, detail::value_of(type, code) / static_cast<double>(ranks));
}

}  // namespace

TEST_CASE(
    "right reductions of any type, operator, data and order are allowed; exact data give the same bits in any order") {
  for (const int size : {1, 2, 3, 9, 300}) {
    std::vector<int> upward(static_cast<std::size_t>(size));
    std::iota(upward.begin(), upward.end(), 0);
    std::vector<int> shuffled = upward;
    for (std::size_t i = shuffled.size(); i > 1; --i) std::swap(shuffled[i - 1], shuffled[detail::mixed(7, i) % i]);
    std::vector<int> downward(upward.rbegin(), upward.rend());
    for (const ElementType type : all_element_types)
      for (const ReductionOperator reduction : all_reductions)
        for (const CollectiveDataKind kind : kinds) {
          CollectiveProblem problem;
          problem.type = type;
          problem.reduction = reduction;
          problem.data = kind;
          problem.count = 3;
          const CollectiveData data(problem, 0, size);
          for (Index element = 0; element < (size > 64 ? 1 : 3); ++element) {
            INFO(problem.id("folded", size) << " element " << element);
            const std::uint64_t code = folded(data, element, upward);
            REQUIRE(data.allows(5, element, code));
            REQUIRE(data.allows(5, element, folded(data, element, downward)));
            REQUIRE(data.allows(5, element, folded(data, element, shuffled)));
            if (data.is_exact()) REQUIRE(folded(data, element, shuffled) == code);
          }
        }
  }
}

TEST_CASE("a rank that is left out or counted twice shows in every element in which it is active") {
  for (const int size : {2, 5, 64, 512})
    for (const ElementType type : all_element_types) {
      CollectiveProblem problem;
      problem.type = type;
      problem.count = 4096;
      const CollectiveData data(problem, 0, size);
      std::set<int> seen;
      for (Index element = 0; element < 4096 && static_cast<int>(seen.size()) < size; ++element) {
        const int rank =
            static_cast<int>(detail::mixed(1, static_cast<std::uint64_t>(element)) % static_cast<std::uint64_t>(size));
        const std::uint64_t own = data.given(0, rank, element);
        if (own == 0) continue;
        seen.insert(rank);
        std::vector<std::uint64_t> codes;
        std::uint64_t without = 0;
        for (int other = 0; other < size; ++other)
          if (other != rank)
            without = detail::reduced(type, ReductionOperator::sum, without, data.given(0, other, element));
        const std::uint64_t right = detail::reduced(type, ReductionOperator::sum, without, own);
        REQUIRE(data.allows(0, element, right));
        REQUIRE_FALSE(data.allows(0, element, without));
        REQUIRE_FALSE(data.allows(0, element, detail::reduced(type, ReductionOperator::sum, right, own)));
      }
      INFO(name_of(type) << ", " << size << " ranks");
      CHECK(seen.size() > 1);
    }
}

TEST_CASE("the bound of random data is not so wide that a lost contribution fits") {
  for (const ElementType type : {ElementType::float32, ElementType::bfloat16, ElementType::float16}) {
    CollectiveProblem problem;
    problem.type = type;
    problem.data = CollectiveDataKind::random;
    const CollectiveData data(problem, 0, 8);
    int found = 0;
    for (Index element = 0; element < 200; ++element) {
      double without = 0;
      for (int rank = 1; rank < 8; ++rank) without += detail::value_of(type, data.given(0, rank, element));
      found += data.allows(0, element, detail::code_of(type, without)) ? 0 : 1;
    }
    INFO(name_of(type));
    CHECK(found > 160);
  }
}

TEST_CASE("streams differ between calls and sources, and compare finds what was altered and nothing else") {
  CollectiveProblem problem;
  problem.operation = CollectiveOperation::all_gather;
  problem.type = ElementType::int16;
  problem.count = 5000;
  const CollectiveData data(problem, 1, 4);
  std::vector<std::int16_t> block(5000);
  data.write(block.data(), 3, 2, 0, 5000);
  std::vector<ElementRun> runs;
  CHECK(data.compare(block.data(), 3, 2, 0, 5000, 0, runs) == 0);
  CHECK(data.compare(block.data() + 700, 3, 2, 700, 4300, 700, runs) == 0);
  CHECK(runs.empty());
  CHECK(data.compare(block.data(), 4, 2, 0, 5000, 0, runs) > 4900);
  CHECK(data.compare(block.data(), 3, 1, 0, 5000, 0, runs) > 4900);
  runs.clear();
  for (const Index at : {0, 511, 512, 513, 4999})
    block[static_cast<std::size_t>(at)] = static_cast<std::int16_t>(block[static_cast<std::size_t>(at)] ^ 4);
  CHECK(data.compare(block.data(), 3, 2, 0, 5000, 10, runs) == 5);
  REQUIRE(runs.size() == 3);
  CHECK(runs[1].begin == 521);
  CHECK(runs[1].length == 3);
}

TEST_CASE("a minimum of NaN and of zeros is judged by the policy") {
  CollectiveProblem problem;
  problem.reduction = ReductionOperator::minimum;
  problem.data = CollectiveDataKind::special;
  problem.count = 4096;
  const auto allows = [&](NanReduction policy, bool of_nan, std::uint64_t code) {
    problem.nan_policy = policy;
    const CollectiveData data(problem, 0, 4);
    for (Index element = 0; element < 4096; ++element) {
      int nans = 0, zeros = 0;
      for (int rank = 0; rank < 4; ++rank) {
        const std::uint64_t given = data.given(0, rank, element);
        nans += detail::is_nan_code(problem.type, given) ? 1 : 0;
        zeros += detail::value_of(problem.type, given) == 0 ? 1 : 0;
      }
      if (of_nan ? nans > 0 : zeros == 4) return data.allows(0, element, code);
    }
    return !of_nan;
  };
  const std::uint64_t nan = 0x7FC00000, minus_zero = 0x80000000;
  CHECK(allows(NanReduction::propagated, true, nan));
  CHECK_FALSE(allows(NanReduction::ignored, true, nan));
  CHECK(allows(NanReduction::any, true, nan));
  CHECK(allows(NanReduction::any, false, 0));
  CHECK(allows(NanReduction::propagated, false, minus_zero));
  CHECK_FALSE(allows(NanReduction::propagated, false, 0));
}
