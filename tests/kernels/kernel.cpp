#include "assay/kernels/kernel.hpp"

#include <string>

#include "assay/backends/host.hpp"
#include "testing/catch.hpp"

namespace {

struct Doubling {
  struct Problem {
    int value = 0;
  };
  struct Arguments {
    int* result = nullptr;
  };
  static const char* name() { return "doubling"; }
};

struct WithMember : assay::Host {
  using assay::Host::Host;
  assay::Result<void> run(Doubling, Stream&, const Doubling::Problem& problem, const Doubling::Arguments& arguments) {
    *arguments.result = 2 * problem.value;
    return {};
  }
};

struct WithTrait : WithMember {
  using WithMember::WithMember;
};

}  // namespace

template <>
struct assay::kernel<WithTrait, Doubling> {
  static constexpr bool available = true;
  static Result<void> run(WithTrait&, Host::Stream&, const Doubling::Problem& problem,
                          const Doubling::Arguments& arguments) {
    *arguments.result = problem.value + problem.value + 1000;
    return {};
  }
};

namespace {

template <class B>
assay::Result<void> run_on(B backend, int& result) {
  auto stream = backend.make_stream();
  return assay::kernel<B, Doubling>::run(backend, stream.value(), {21}, {&result});
}

}  // namespace

TEST_CASE("a backend's member is its kernel") {
  int result = 0;
  STATIC_REQUIRE(assay::kernel<WithMember, Doubling>::available);
  REQUIRE(run_on(WithMember(1), result).has_value());
  CHECK(result == 42);
}

TEST_CASE("a specialization goes before the member") {
  int result = 0;
  STATIC_REQUIRE(assay::kernel<WithTrait, Doubling>::available);
  REQUIRE(run_on(WithTrait(1), result).has_value());
  CHECK(result == 1042);
}

TEST_CASE("without a kernel the answer is unsupported, and names backend and operation") {
  int result = 7;
  STATIC_REQUIRE(!assay::kernel<assay::Host, Doubling>::available);
  const auto answer = run_on(assay::Host(1), result);
  REQUIRE(!answer.has_value());
  CHECK(answer.error().kind == assay::ErrorKind::unsupported);
  CHECK(answer.error().message == "host has no kernel for doubling");
  CHECK(result == 7);
}
