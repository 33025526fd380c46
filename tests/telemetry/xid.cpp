#include "assay/telemetry/xid.hpp"

#include <set>

#include "testing/catch.hpp"

TEST_CASE("the catalogue of XIDs") {
  using assay::XidAction;
  for (const int code : {46, 62, 64, 95, 109, 110, 119, 120, 136, 140, 143, 155, 156, 158})
    CHECK(assay::xid_action(code) == XidAction::reset);
  CHECK(assay::xid_action(79) == XidAction::reboot);
  for (const int code : {48, 74, 144, 145, 146, 147, 148, 149, 150, 154})
    CHECK(assay::xid_action(code) == XidAction::workflow);
  for (const int code : {13, 31, 32, 69, 94}) CHECK(assay::xid_action(code) == XidAction::restart_application);
  for (const int code : {43, 63, 92}) CHECK(assay::xid_action(code) == XidAction::none);
  CHECK(assay::xid_action(12345) == XidAction::unknown);
  CHECK(assay::xid_text(12345).empty());
  CHECK(!is_fatal(XidAction::restart_application));
  CHECK(!is_fatal(XidAction::unknown));
  CHECK(is_fatal(XidAction::reset));
  std::set<int> codes;
  for (const auto& facts : assay::detail::xid_facts) CHECK(codes.insert(facts.code).second);
}
