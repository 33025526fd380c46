#include "assay/performance/history_sqlite.hpp"

#include <filesystem>
#include <fstream>

#include "performance/history_conformance.hpp"
#include "testing/catch.hpp"
#include "testing/temporary_folder.hpp"

using namespace assay;
using namespace assay::testing;
namespace fs = std::filesystem;

namespace {

struct Folder : TemporaryFolder {
  [[nodiscard]] fs::path file() const { return path / "history.sqlite"; }
};

void run_sql(const fs::path& path, const std::string& text) {
  sqlite3* opened = nullptr;
  REQUIRE(sqlite3_open(path.c_str(), &opened) == SQLITE_OK);
  const detail::SqliteDatabase database(opened);
  REQUIRE(sqlite3_exec(opened, text.c_str(), nullptr, nullptr, nullptr) == SQLITE_OK);
}

void all_hold(const Violations& found) {
  for (const std::string& violation : found) UNSCOPED_INFO(violation);
  CHECK(found.empty());
}

}  // namespace

TEST_CASE("an SQLite database is a store of histories") {
  const SqliteHistoryOptions quick{false, 30};
  const Folder a, b, c, d;
  all_hold(keeps_what_it_was_given([&] { return SqliteHistory(a.file()); }));
  all_hold(refuses_what_it_cannot_keep([&] { return SqliteHistory(b.file()); }));
  all_hold(takes_many_writers([&] { return SqliteHistory(c.file(), quick); }));
  all_hold(survives_kills([&] { return SqliteHistory(d.file(), quick); }, 60));
}

TEST_CASE("a thousand writers are killed", "[.long]") {
  const Folder folder;
  all_hold(survives_kills([&] { return SqliteHistory(folder.file()); }, 1000, 5));
}

TEST_CASE("a reader sees the runs that were there when it began, while a writer writes") {
  const Folder folder;
  SqliteHistory writer(folder.file()), reader(folder.file());
  for (int i = 0; i < 5; ++i) {
    REQUIRE(writer.append(run_of(std::to_string(i), {point_of("a", {1})})));
    CHECK(reader.load().value().runs.size() == static_cast<std::size_t>(i + 1));
  }
}

TEST_CASE("damage is told with its place, never loaded") {
  const auto after = [](const std::string& sql) {
    const Folder folder;
    SqliteHistory store(folder.file());
    REQUIRE(store.append(run_of("1", {point_of("a", {1, 2}), point_of("b", {3})})));
    run_sql(folder.file(), sql);
    const auto history = store.load();
    if (history) return std::string();
    CHECK(history.error().kind == ErrorKind::malformed);
    return history.error().message;
  };
  CHECK(after("SELECT 1").empty());
  CHECK_THAT(after("UPDATE point SET samples = x'000000000000f03f' WHERE series = 1"),
             contains("run 1, series 1: the checksum"));
  CHECK_THAT(after("UPDATE point SET samples = x'', crc32 = 0"), contains("the checksum"));
  CHECK_THAT(after("UPDATE run SET labels = 'version'"), contains("run 1: 'version' does not read k=v"));
  CHECK_THAT(after("DELETE FROM run"), contains("a point is there, and its run or its series is not"));
  CHECK_THAT(after("UPDATE series SET direction = 'up' WHERE id = 2"), contains("series 2"));
  CHECK_THAT(after("PRAGMA user_version = 2"), contains("its form has version 2, and this version of Assay knows 1"));
  CHECK_THAT(after("PRAGMA application_id = 7"), contains("an SQLite database of something else"));
}

TEST_CASE("files that are no histories are refused and left alone") {
  const Folder folder;
  std::ofstream(folder.file()) << std::string(5000, 'x');
  const auto written = SqliteHistory(folder.file()).append(run_of("1", {point_of("a", {1})}));
  REQUIRE_FALSE(written);
  CHECK(written.error().kind == ErrorKind::malformed);
  CHECK_THAT(written.error().message, contains("not a database"));
  CHECK(fs::file_size(folder.file()) == 5000);
  CHECK_FALSE(SqliteHistory(folder.file()).load());

  const fs::path other = folder.path / "other.sqlite";
  run_sql(other, "CREATE TABLE theirs(x)");
  CHECK_THAT(SqliteHistory(other).append(run_of("1", {point_of("a", {1})})).error().message,
             contains("of something else"));
  CHECK_THAT(SqliteHistory(other).load().error().message, contains("of something else"));
  CHECK_FALSE(SqliteHistory(folder.path / "absent" / "h.sqlite").append(run_of("1", {point_of("a", {1})})));
}

TEST_CASE("a database that cannot be written refuses, and keeps what it has") {
  const Folder folder;
  SqliteHistory store(folder.file());
  REQUIRE(store.append(run_of("1", {point_of("a", {1})})));
  SqliteHistory impatient(folder.file(), {true, 0});
  sqlite3* opened = nullptr;
  REQUIRE(sqlite3_open(folder.file().c_str(), &opened) == SQLITE_OK);
  const detail::SqliteDatabase holder(opened);
  REQUIRE(sqlite3_exec(opened, "BEGIN IMMEDIATE", nullptr, nullptr, nullptr) == SQLITE_OK);
  const auto written = impatient.append(run_of("2", {point_of("a", {1})}));
  REQUIRE_FALSE(written);
  CHECK_THAT(written.error().message, contains("database is locked for 0 s by another writer"));
  REQUIRE(sqlite3_exec(opened, "ROLLBACK", nullptr, nullptr, nullptr) == SQLITE_OK);
  REQUIRE(impatient.append(run_of("2", {point_of("a", {1})})));
  CHECK(store.load().value().runs.size() == 2);
}

TEST_CASE("truncated and overwritten pages are errors or change nothing") {
  const Folder folder;
  {
    SqliteHistory store(folder.file(), {false, 30});
    for (int i = 0; i < 30; ++i) REQUIRE(store.append(rich_history_run()));
    run_sql(folder.file(), "PRAGMA wal_checkpoint(TRUNCATE)");
  }
  std::ifstream file(folder.file(), std::ios::binary);
  const std::string whole{std::istreambuf_iterator<char>(file), {}};
  detail::RandomSequence random(3);
  int refused = 0;
  for (int i = 0; i < 300; ++i) {
    std::string damaged = whole;
    if (i % 3 == 0)
      damaged.resize(random.below(whole.size()));
    else
      for (std::size_t at = random.below(whole.size()), end = std::min(whole.size(), at + 1 + random.below(64));
           at < end; ++at)
        damaged[at] = static_cast<char>(random.below(256));
    const fs::path path = folder.path / "damaged.sqlite";
    fs::remove(path);
    fs::remove(path.string() + "-wal");
    fs::remove(path.string() + "-shm");
    std::ofstream(path, std::ios::binary) << damaged;
    const auto history = SqliteHistory(path).load();
    refused += history ? 0 : 1;
    if (!history) continue;
    for (const HistorySeries& series : history.value().series)
      for (const SeriesPoint& point : series.points) REQUIRE(are_samples(point.samples));
  }
  CHECK(refused > 100);
}
