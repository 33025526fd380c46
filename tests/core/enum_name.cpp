#include "assay/core/enum_name.hpp"

#include <catch2/catch.hpp>

#include "assay/core/verdict.hpp"

using namespace assay;

namespace {
enum class Gapped { first = 2, second = 40 };
enum class Small : unsigned char { none, some };
template <class First, class Second>
struct Holder {
  enum class Kind { plain, odd = 63 };
};
}  // namespace

TEST_CASE("enumerators are named as in the source") {
  for (const Verdict verdict : all_verdicts) {
    CHECK(enum_name(verdict) == name_of(verdict));
    CHECK(enum_named<Verdict>(name_of(verdict)) == verdict);
  }
  CHECK(enum_name(Gapped::second) == "second");
  CHECK(enum_named<Gapped>("first") == Gapped::first);
  CHECK(enum_name(Small::some) == "some");
}

TEST_CASE("enumerators are named wherever their type stands") {
  using Kind = Holder<Holder<int, char(int, long)>, int[3]>::Kind;
  CHECK(enum_name(Kind::plain) == "plain");
  CHECK(enum_name(Kind::odd) == "odd");
  CHECK(enum_name(static_cast<Kind>(1)).empty());
  enum class Local : short { here = 7 };
  CHECK(enum_name(Local::here) == "here");
  CHECK(enum_name(static_cast<Local>(0)).empty());
  static_assert(enum_named<Small>("some") == Small::some);
}

TEST_CASE("values and names without enumerator are told") {
  CHECK(enum_name(static_cast<Verdict>(50)).empty());
  CHECK(enum_name(static_cast<Gapped>(3)).empty());
  CHECK_FALSE(enum_named<Verdict>("passed"));
  CHECK_FALSE(enum_named<Small>(""));
}
