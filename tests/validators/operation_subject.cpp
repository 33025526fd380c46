#include "assay/validators/operation_subject.hpp"

#include <catch2/catch.hpp>

#include "assay/backends/host.hpp"
#include "testing/axpy.hpp"

using namespace assay;
using testing::Axpy;
using testing::AxpyProblem;

namespace {
struct Mine : Host {
  using Host::Host;
  std::string_view name() const { return "mine"; }
  Result<void> run(Axpy, Stream&, const AxpyProblem&, const OperandArray&) {
    return failure(ErrorKind::device, "mine ran");
  }
};
struct Declared : Host {
  using Host::Host;
  std::string_view name() const { return "declared"; }
};
}  // namespace

template <>
struct assay::kernel<Declared, Axpy> {
  static constexpr bool available = true;
  static Result<void> run(Declared&, Declared::Stream&, const AxpyProblem&, const OperandArray&) { return {}; }
  static Arithmetic arithmetic(const AxpyProblem&) { return arithmetic_in<bfloat16>(); }
};

TEST_CASE("a subject is found by the trait: a member, a specialization, or none") {
  const auto member = operation_subject<Axpy>(Mine(1));
  CHECK(member.name == "mine");
  CHECK(member.run({}, {}).error().message == "mine ran");
  CHECK(member.arithmetic({}).unit_roundoff() == 0x1p-24);
  const auto declared = operation_subject<Axpy>(Declared(1));
  CHECK(declared.run({}, {}));
  CHECK(declared.arithmetic({}).unit_roundoff() == 0x1p-8);
  const auto none = operation_subject<Axpy>(Host(1));
  CHECK((kernel<Mine, Axpy>::available && kernel<Declared, Axpy>::available && !kernel<Host, Axpy>::available));
  CHECK(none.run({}, {}).error().kind == ErrorKind::unsupported);
  CHECK(none.run({}, {}).error().message == "host has no kernel for axpy");
}
