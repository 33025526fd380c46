#include "assay/collectives/coordinator.hpp"

#include "testing/catch.hpp"

using namespace assay;

namespace {

/// Hears from the ranks that it is told to.
struct Deaf final : Coordinator {
  std::vector<std::optional<std::string>> heard;
  bool broken = false;
  int rank() const override { return 0; }
  int size() const override { return static_cast<int>(heard.size()); }
  Result<std::vector<std::optional<std::string>>> exchange(std::string, Deadline) override {
    if (broken) return failure(ErrorKind::io, "the line is cut");
    return heard;
  }
};

}  // namespace

TEST_CASE("who does not come to a meeting is named") {
  Deaf coordinator;
  coordinator.heard = {"", "", ""};
  CHECK(meet(coordinator, deadline_after(std::chrono::seconds(1))));
  coordinator.heard = {"", std::nullopt, std::nullopt};
  const auto met = meet(coordinator, deadline_after(std::chrono::seconds(1)));
  REQUIRE(!met);
  CHECK(met.error().kind == ErrorKind::timed_out);
  CHECK(met.error().message == "these ranks did not come in time: 1, 2");
  coordinator.broken = true;
  CHECK(meet(coordinator, deadline_after(std::chrono::seconds(1))).error().message == "the line is cut");
}
