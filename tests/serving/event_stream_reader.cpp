#include "assay/serving/event_stream_reader.hpp"

#include "testing/catch.hpp"

namespace {

/// All events of a text that comes in pieces of so many bytes.
std::vector<assay::StreamEvent> read_in_pieces(const std::string& text, std::size_t size) {
  assay::EventStreamReader reader;
  std::vector<assay::StreamEvent> events;
  for (std::size_t i = 0; i < text.size(); i += size)
    CHECK(reader.read(std::string_view(text).substr(i, size), events));
  return events;
}

}  // namespace

TEST_CASE("events are the same whatever the pieces, line ends and comments", "[serving]") {
  for (const std::string end : {"\n", "\r", "\r\n"}) {
    const std::string text = "\xEF\xBB\xBF: hello" + end + "event: x" + end + "data: ä" + end + "data:b" + end + end +
                             "id: 3" + end + "retry" + end + end + ":" + end + "data" + end + end + "data: last" + end +
                             end;
    for (std::size_t size = 1; size <= text.size(); ++size) {
      const auto events = read_in_pieces(text, size);
      REQUIRE(events.size() == 5);
      CHECK(events[0].comment);
      CHECK(events[0].data == "hello");
      CHECK(events[1].data == "ä\nb");
      CHECK(events[1].event == "x");
      CHECK(events[2].comment);
      CHECK(events[3].data.empty());
      CHECK(events[4].data == "last");
      CHECK(events[4].event.empty());
    }
  }
}

TEST_CASE("what no empty line ended is told, and can be had", "[serving]") {
  assay::EventStreamReader reader;
  std::vector<assay::StreamEvent> events;
  CHECK_FALSE(reader.unfinished());
  CHECK(reader.read("data: a\n\ndata: b", events));
  CHECK(events.size() == 1);
  CHECK(reader.unfinished());
  const auto rest = reader.finish();
  REQUIRE(rest.size() == 1);
  CHECK(rest[0].data == "b");
  CHECK(assay::EventStreamReader().finish().empty());
}

TEST_CASE("an event without end is refused", "[serving]") {
  assay::EventStreamReader reader(100);
  std::vector<assay::StreamEvent> events;
  bool refused = false;
  for (int i = 0; i < 20 && !refused; ++i) refused = !reader.read("data: 0123456789\n", events);
  CHECK(refused);
  assay::EventStreamReader line(100);
  CHECK_FALSE(line.read(std::string(101, 'x'), events));
}
