#include "assay/adapters/miopen/miopen.hpp"

#include "testing/catch.hpp"

static_assert(assay::Backend<assay::MiOpen>);

using assay::testing::contains;

TEST_CASE("MIOpen gives its version, and opens where a device is or says why not") {
  CHECK_THAT(assay::MiOpen::version(), assay::testing::matches("[0-9]+\\.[0-9]+\\.[0-9]+"));
  const auto opened = assay::MiOpen::open();
  if (opened)
    CHECK(opened.value().name() == "miopen");
  else
    CHECK(opened.error().kind == assay::ErrorKind::unsupported);
}

TEST_CASE("What MIOpen answers becomes an error of its kind, with the call, the library's words and the problem") {
  using assay::ErrorKind;
  const auto error = [](miopenStatus_t status) {
    return assay::detail::miopen_result("miopenFoo", status, "n3").error();
  };
  CHECK(assay::detail::miopen_result("miopenFoo", miopenStatusSuccess));
  CHECK(error(miopenStatusUnsupportedOp).kind == ErrorKind::unsupported);
  CHECK(error(miopenStatusBadParm).kind == ErrorKind::unsupported);
  CHECK(error(miopenStatusAllocFailed).kind == ErrorKind::out_of_memory);
  CHECK(error(miopenStatusUnknownError).kind == ErrorKind::device);
  CHECK_THAT(error(miopenStatusUnsupportedOp).message,
             contains("miopenFoo: miopenStatusUnsupportedOp") && contains("n3"));
}
