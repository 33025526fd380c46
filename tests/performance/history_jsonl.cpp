#include "assay/performance/history_jsonl.hpp"

#include <sys/resource.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "performance/history_conformance.hpp"
#include "testing/catch.hpp"
#include "testing/temporary_folder.hpp"

using namespace assay;
using namespace assay::testing;
namespace fs = std::filesystem;

namespace {

struct Folder : TemporaryFolder {
  [[nodiscard]] fs::path file() const { return path / "history.jsonl"; }
};

std::string text_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}
void put(const fs::path& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
}

Result<History> read(const std::string& text) {
  return detail::read_history_lines(text, "h.jsonl");
}
std::string refusal(const std::string& text) {
  const auto history = read(text);
  if (history) return "";
  CHECK(history.error().kind == ErrorKind::malformed);
  return history.error().message;
}
std::string line(const std::string& version, double value = 1) {
  return detail::history_line(run_of(version, {point_of("a", {value})})) + "\n";
}
/// A line of that body, with a right checksum.
std::string checked(const std::string& body) {
  return detail::checked_line("{\"schema\":\"assay-history/1\"," + body) + "\n";
}

}  // namespace

TEST_CASE("a file of JSON lines is a store of histories") {
  const auto all_hold = [](const Violations& found) {
    for (const std::string& violation : found) UNSCOPED_INFO(violation);
    CHECK(found.empty());
  };
  const JsonlHistoryOptions quick{false};
  const Folder a, b, c, d;
  all_hold(keeps_what_it_was_given([&] { return JsonlHistory(a.file()); }));
  all_hold(refuses_what_it_cannot_keep([&] { return JsonlHistory(b.file()); }));
  all_hold(takes_many_writers([&] { return JsonlHistory(c.file(), quick); }));
  all_hold(survives_kills([&] { return JsonlHistory(d.file(), quick); }, 100));
}

TEST_CASE("a thousand writers are killed", "[.long]") {
  const Folder folder;
  const Violations found = survives_kills([&] { return JsonlHistory(folder.file()); }, 1000, 5);
  for (const std::string& violation : found) UNSCOPED_INFO(violation);
  CHECK(found.empty());
}

TEST_CASE("wherever the last line is torn, it is told, what stands before is read, and what is appended after") {
  const std::string before = line("1") + line("2"), torn = line("3");
  for (std::size_t kept = 1; kept + 1 < torn.size(); ++kept) {
    const auto history = read(before + torn.substr(0, kept));
    CAPTURE(kept);
    REQUIRE(history);
    REQUIRE(history.value().runs.size() == 2);
    REQUIRE(history.value().warnings.size() == 1);
    REQUIRE_THAT(history.value().warnings[0], contains("line 3 is torn"));
  }
  CHECK(read(before + torn.substr(0, torn.size() - 1)).value().runs.size() == 3);  // but for its newline it is whole

  const Folder folder;
  for (const std::size_t kept : {std::size_t{1}, std::size_t{30}, torn.size() - 21, torn.size() - 2, torn.size() - 1}) {
    put(folder.file(), before + torn.substr(0, kept));
    JsonlHistory store(folder.file());
    REQUIRE(store.append(run_of("4", {point_of("a", {1})})));
    REQUIRE(store.append(run_of("5", {point_of("a", {1})})));
    const auto history = store.load();
    CAPTURE(kept, text_of(folder.file()));
    REQUIRE(history);
    const bool whole = kept == torn.size() - 1;
    CHECK(history.value().runs.size() == (whole ? 5u : 4u));
    CHECK(history.value().runs.back().label("version") == "5");
    CHECK(history.value().warnings.size() == (whole ? 0u : 1u));
  }
}

TEST_CASE("a writer killed while it marks a torn line leaves nothing that cannot be read") {
  const std::string before = line("1"), torn = line("2").substr(0, 40),
                    written = "\n" + detail::torn_marker() + "\n" + line("3");
  const Folder folder;
  for (std::size_t kept = 0; kept <= written.size(); ++kept) {
    put(folder.file(), before + torn + written.substr(0, kept));
    JsonlHistory store(folder.file(), {false});
    CAPTURE(kept);
    REQUIRE(store.load());
    REQUIRE(store.append(run_of("4", {point_of("a", {1})})));
    const auto history = store.load();
    REQUIRE(history);
    REQUIRE(history.value().runs.size() == (kept + 1 >= written.size() ? 3u : 2u));
    REQUIRE(history.value().runs.back().label("version") == "4");
    REQUIRE_FALSE(history.value().warnings.empty());
  }
}

TEST_CASE("a writer waits for another that is within a line, and a reader does, too") {
  const Folder folder;
  const std::string text = line("1");
  int ends[2];
  REQUIRE(::pipe(ends) == 0);
  const pid_t slow = ::fork();
  if (slow == 0) {
    const int file = ::open(folder.file().c_str(), O_WRONLY | O_APPEND | O_CREAT, 0666);
    bool done = ::flock(file, LOCK_EX) == 0 && ::write(file, text.data(), 30) == 30 && ::write(ends[1], "+", 1) == 1;
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    done = done && ::write(file, text.data() + 30, text.size() - 30) == static_cast<ssize_t>(text.size() - 30);
    ::_exit(done ? 0 : 1);
  }
  char byte = 0;
  REQUIRE(::read(ends[0], &byte, 1) == 1);
  ::close(ends[0]);
  ::close(ends[1]);
  JsonlHistory store(folder.file());
  const auto seen = store.load();
  const auto written = store.append(run_of("2", {point_of("a", {1})}));
  int status = 1;
  REQUIRE(::waitpid(slow, &status, 0) == slow);
  CHECK(status == 0);
  REQUIRE(seen);
  CHECK(seen.value().runs.size() == 1);
  CHECK(seen.value().warnings.empty());
  REQUIRE(written);
  CHECK(text_of(folder.file()) == text + line("2"));
}

TEST_CASE("every flipped bit and every missing byte before the last line is an error that names the line") {
  const std::string first = line("1", 0.1), text = first + line("2") + line("3");
  for (std::size_t at = 0; at < first.size(); ++at)
    for (int bit = 0; bit < 8; ++bit) {
      std::string damaged = text;
      damaged[at] = static_cast<char>(damaged[at] ^ (1 << bit));
      CAPTURE(at, bit);
      REQUIRE_THAT(refusal(damaged), contains("h.jsonl', line 1"));
    }
  for (std::size_t from = 0; from < first.size(); from += 3)
    for (std::size_t count : {std::size_t{1}, std::size_t{5}, std::size_t{50}}) {
      if (from + count > first.size() || (from == 0 && count == first.size())) continue;
      CAPTURE(from, count);
      REQUIRE_THAT(refusal(std::string(text).erase(from, count)), contains("line 1"));
    }
  CHECK_THAT(refusal(first + "\n" + first), contains("line 2: it does not end with a checksum"));
  CHECK_THAT(refusal(first + "torn\nsomething else"), contains("line 3: it does not end with a checksum"));
}

TEST_CASE("a line that is whole but says nothing sensible is refused with its place") {
  const std::string time = R"("time":"2025-01-02T03:04:05Z",)";
  const std::string point = R"({"name":"a","metric":"m","unit":"s","direction":"lower_is_better","samples":[1]})";
  REQUIRE(read(checked(time + R"("future":{"x":[1,{"y":null}]},"points":[)" + point +
                       "]")));  // what a later writer adds is skipped
  const auto refused = [&](const std::string& body, const std::string& why) {
    CAPTURE(body);
    CHECK_THAT(refusal(line("1") + checked(body)), contains("line 2: ") && contains(why));
  };
  refused(R"("points":[])", "\"time\" is missing");
  refused(R"("time":"yesterday")", "'yesterday' is no time");
  refused(R"("time":7)", "time: a number where a text belongs");
  refused(time + R"("labels":{"version":7})", "version: a number where a text belongs");
  refused(time + R"("labels":[])", "labels: a list where an object of texts belongs");
  refused(time + R"("labels":{"a":"1","a":"2"})", "a: a second member");
  refused(time + R"("points":{})", "points: an object where a list belongs");
  refused(time + R"("points":[3])", "a number where an object belongs");
  refused(time + R"("points":[{"name":"a"}])", "points[0]: the member \"metric\" is missing");
  refused(time + R"("points":[)" + point + R"(,{"metric":"m"}])", "points[1]: the member \"name\" is missing");
  refused(time + R"("points":[{"name":"a","metric":"m","direction":"up"}])",
          "points[0].direction: 'up' is no direction");
  refused(time + R"("points":[{"name":"a","metric":"m","direction":"lower_is_better","samples":[]}])",
          "\"samples\" is missing or empty");
  refused(time + R"("points":[{"name":"a","metric":"m","samples":[1,"2"]}])",
          "points[0].samples: a text where a number belongs");
  refused(time + R"("points":[{"name":"a","samples":[1,null]}])", "points[0].samples: null where a number belongs");
  refused(time + R"("points":[{"name":"a","samples":[1e200]}])", "beyond 1e150");
  refused(time + R"("points":[{"name":"a","samples":[1e999]}])", "no valid JSON");
  refused(time + R"("points":[{"name":"a",}])", "no valid JSON at byte");
  CHECK_THAT(refusal(detail::checked_line(R"({"a":1)") + "\n"), contains("line 1: it is not a line of a history"));
}

TEST_CASE("a newer form is refused, for reading and for appending") {
  std::string newer = detail::checked_line(R"({"schema":"assay-history/2","x":1)") + "\n";
  CHECK_THAT(refusal(line("1") + newer),
             contains("line 2: its form is 'assay-history/2', and this version of Assay reads 'assay-history/1'"));
  const Folder folder;
  for (const std::string& text : {newer, std::string("#include <x>\n"), std::string("{}")}) {
    put(folder.file(), text);
    const auto written = JsonlHistory(folder.file()).append(run_of("1", {point_of("a", {1})}));
    REQUIRE_FALSE(written);
    CHECK(written.error().kind == ErrorKind::malformed);
    CHECK_THAT(written.error().message, contains("name another file"));
    CHECK(text_of(folder.file()) == text);
  }
}

TEST_CASE("what the environment refuses is told, and the file is as before") {
  const Folder folder;
  const HistoryRun run = run_of("1", {point_of("a", std::vector<double>(2000, 1.0 / 3))});
  CHECK_THAT(JsonlHistory(folder.path / "absent" / "h").append(run).error().message,
             contains("cannot append to") && contains("No such file"));
  CHECK_FALSE(JsonlHistory(folder.path).append(run));
  CHECK_FALSE(JsonlHistory(folder.path).load());
  CHECK_THAT(JsonlHistory("/dev/null").append(run).error().message, contains("not a regular file"));

  JsonlHistory store(folder.file());
  REQUIRE(store.append(run));
  const std::string before = text_of(folder.file());
  const int succeeded = in_processes(1, [&](int) {
    std::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{before.size() + 500, before.size() + 500};
    if (::setrlimit(RLIMIT_FSIZE, &limit) != 0) return false;
    const auto written = store.append(run);
    return !written && written.error().kind == ErrorKind::io &&
           written.error().message.find("the file is as before") != std::string::npos;
  });
  CHECK(succeeded == 1);
  CHECK(text_of(folder.file()) == before);
  HistoryRun later = run;
  later.origin.labels["version"] = "2";
  REQUIRE(store.append(later));
  CHECK(store.load().value().warnings.empty());
}

TEST_CASE("many runs are appended whole or not at all") {
  const Folder folder;
  std::vector<HistoryRun> runs;
  for (int i = 0; i < 300; ++i) {
    runs.push_back(run_of("1", {point_of("a", {1.0 + i})}));
    runs.back().origin.time += std::chrono::milliseconds(i);
  }
  JsonlHistory store(folder.file());
  REQUIRE(store.append(runs));
  CHECK(store.load().value().runs.size() == 300);
  CHECK(store.load().value().series[0].points[299].samples == std::vector<double>{300});
  runs[7].points.clear();
  CHECK_FALSE(store.append(runs));
  CHECK(store.load().value().runs.size() == 300);
}

TEST_CASE("a line that stands there again is told and left out, and so are the ends of lines of Windows") {
  const std::string twice = line("1") + line("2") + line("1") + line("1");
  const auto history = read(twice);
  REQUIRE(history);
  CHECK(history.value().runs.size() == 2);
  REQUIRE(history.value().warnings.size() == 1);
  CHECK_THAT(history.value().warnings[0], contains("2 lines stand there already, the first is line 3"));
  std::string windows;
  for (const char letter : line("1") + line("2")) windows += letter == '\n' ? "\r\n" : std::string(1, letter);
  REQUIRE(read(windows));
  CHECK(read(windows).value().runs.size() == 2);
}

TEST_CASE("no mutation of a history makes it read what nobody wrote") {
  const std::string text =
      line("1", 0.25) + detail::history_line(rich_history_run()) + "\n" + line("2", 3) + line("3", 4);
  const std::size_t whole = read(text).value().runs.size();
  detail::RandomSequence random(42);
  for (int i = 0; i < 4000; ++i) {
    std::string mutated = text;
    for (std::uint32_t left = 1 + random.below(4); left > 0; --left) {
      const std::size_t at = random.below(mutated.size()), count = random.below(40);
      switch (random.below(4)) {
        case 0: mutated[at] = static_cast<char>(random.below(256)); break;
        case 1: mutated.erase(at, count); break;
        case 2: mutated.insert(at, mutated.substr(random.below(mutated.size()), count)); break;
        case 3: mutated.resize(at + 1); break;
      }
      if (mutated.empty()) mutated = "\n";
    }
    const auto history = read(mutated);
    if (!history) continue;
    for (const RunOrigin& run : history.value().runs) {
      const std::string version = run.label("version");
      CAPTURE(i, mutated);
      REQUIRE((version == "1" || version == "2" || version == "3" || run == rich_history_run().origin));
    }
    REQUIRE(history.value().runs.size() <= whole + 4);  // lines may be doubled
  }
}

TEST_CASE(
    "lines of a known form are read as others are: orders of members, notes, escapes, directions that change and "
    "change back") {
  HistoryRun run = rich_history_run();
  const auto appended = [&](History& all) {
    run.origin.time += std::chrono::milliseconds(1);  // a line that stands there again is left out
    all.add(run);
    return detail::history_line(run) + "\n";
  };
  History added;
  std::string text;
  for (const auto& note : {"", "plain", "with \"quotes\" and \\", "", "},{\"name\":\"", ""}) {
    run.points[0].metric.note = note;
    run.points[0].metric.samples[0] += 0.1;
    text += appended(added);
  }
  for (const auto direction : {Direction::lower_is_better, Direction::lower_is_better, Direction::higher_is_better,
                               Direction::lower_is_better}) {
    run.points[1].metric.direction = direction;
    text += appended(added);
  }
  text += appended(added);
  std::swap(run.points[0], run.points[3]);
  run.points.pop_back();
  text += appended(added);
  run.points[0].metric.samples = {5};
  text += appended(added);
  // Written by somebody else: other orders, spaces, members that are not known.
  text += checked(
      R"("points":[{"samples":[1 , 2],"more":[1],"name":"gemm/onednn","unit":"s","direction":"lower_is_better","metric":"seconds"}], "time":"2025-01-02T03:04:05Z")");
  HistoryRun other = run_of("", {{"gemm/onednn", {}, {"seconds", "s", Direction::lower_is_better, {1, 2}, ""}}});
  other.origin.labels.clear();
  other.origin.time = *parse_utc_time("2025-01-02T03:04:05Z");
  added.add(other);

  // Points of ours around one that is not, twice; samples that only look like ours.
  const auto ours = [](const std::string& name) {
    return R"({"name":")" + name + R"(","metric":"seconds","unit":"s","direction":"lower_is_better","samples":[7]})";
  };
  const std::string theirs =
      R"({"samples":[8],"name":"theirs","metric":"seconds","unit":"s","direction":"lower_is_better"})";
  const std::string nested =
      R"({"name":"nested","x":{"y":1,"samples":[1]},"metric":"seconds","unit":"s","direction":"lower_is_better","samples":[9]})";
  for (int i = 0; i < 2; ++i) {
    const std::string time = "2025-01-02T03:04:0" + std::to_string(6 + i) + "Z";
    other.origin.time = *parse_utc_time(time);
    text += checked("\"time\":\"" + time + R"(","points":[)" + ours("p") + "," + theirs + "," + ours("q") + "," +
                    nested + "," + ours("r") + "]");
    other.points = {point_of("p", {7}), point_of("theirs", {8}), point_of("q", {7}), point_of("nested", {9}),
                    point_of("r", {7})};
    added.add(other);
  }

  const auto history = read(text);
  INFO((history ? std::string() : history.error().message));
  REQUIRE(history);
  CHECK(history.value().runs == added.runs);
  CHECK(history.value().warnings == added.warnings);
  REQUIRE(history.value().series.size() == added.series.size());
  for (std::size_t i = 0; i < added.series.size(); ++i) {
    const HistorySeries& own = history.value().series[i];
    const HistorySeries& wanted = added.series[i];
    CAPTURE(wanted.key);
    CHECK(own.key == wanted.key);
    CHECK(own.direction == wanted.direction);
    REQUIRE(own.points.size() == wanted.points.size());
    for (std::size_t p = 0; p < own.points.size(); ++p) {
      CHECK(own.points[p].run == wanted.points[p].run);
      CHECK(own.points[p].samples == wanted.points[p].samples);
      CHECK(own.points[p].note == wanted.points[p].note);
    }
  }
}
