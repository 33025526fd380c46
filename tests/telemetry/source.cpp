#include "assay/telemetry/source.hpp"

#include "telemetry/counting_source.hpp"
#include "testing/catch.hpp"

static_assert(assay::Source<assay::AnySource>);
static_assert(!assay::Source<int>);

TEST_CASE("any source is held, and tells what the one in it tells") {
  assay::AnySource source(assay::testing::CountingSource{"first"});
  CHECK(source.name() == "first");
  CHECK(source.devices().size() == 1);
  CHECK(source.sensors().size() == 1);
  CHECK(source.poll().front().count == 1);
  CHECK(source.poll().front().count == 2);
  CHECK(source.take_events().empty());
}

TEST_CASE("events are passed on where a source has some") {
  assay::AnySource source(assay::testing::EventfulSource{});
  CHECK(source.take_events().size() == 1);
}
