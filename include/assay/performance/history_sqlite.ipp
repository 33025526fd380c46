#pragma once

#include "assay/performance/history_sqlite.hpp"

#include <string_view>
#include <unordered_map>

#include "assay/core/config.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE Result<void> SqliteHistory::append(std::span<const HistoryRun> runs) {
  for (const HistoryRun& run : runs)
    if (const auto checked = check_history_run(run); !checked) return checked;
  if (runs.empty()) return {};
  if (!writer_) {
    auto opened = open(SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE);
    if (!opened) return opened.propagate();
    if (const auto made = make_tables(opened.value().get()); !made) return made;
    writer_ = std::move(opened).value();
  }
  sqlite3* database = writer_.get();
  if (sqlite3_exec(database, "BEGIN IMMEDIATE", nullptr, nullptr, nullptr) != SQLITE_OK)
    return refused(database, "append to");
  if (insert(database, runs) && sqlite3_exec(database, "COMMIT", nullptr, nullptr, nullptr) == SQLITE_OK) return {};
  const Failure why = refused(database, "append to");
  if (sqlite3_get_autocommit(database) == 0) sqlite3_exec(database, "ROLLBACK", nullptr, nullptr, nullptr);
  return why;
}

ASSAY_DETAIL_HEADER_INLINE Result<History> SqliteHistory::load() const {
  std::error_code code;
  if (!std::filesystem::exists(path_, code) && !code) return History();
  auto opened = open(SQLITE_OPEN_READWRITE);  // a reader of a WAL writes its index
  if (!opened) opened = open(SQLITE_OPEN_READONLY);
  if (!opened) return opened.propagate();
  sqlite3* database = opened.value().get();
  if (sqlite3_exec(database, "BEGIN", nullptr, nullptr, nullptr) != SQLITE_OK) return refused(database, "read");
  if (const auto known = check_form(database, false); !known) return known.propagate();
  if (empty(database)) return History();
  return read(database);
}

ASSAY_DETAIL_HEADER_INLINE Failure SqliteHistory::refused(sqlite3* database, const char* what) const {
  const int code = sqlite3_errcode(database) & 255;
  const bool damaged = code == SQLITE_CORRUPT || code == SQLITE_NOTADB;
  return failure(
      damaged ? ErrorKind::malformed : ErrorKind::io,
      std::string("cannot ") + what + " '" + path_.string() + "': " + visible(sqlite3_errmsg(database)) +
          (code == SQLITE_BUSY ? " for " + std::to_string(options_.patience_seconds) + " s by another writer" : ""));
}

ASSAY_DETAIL_HEADER_INLINE Result<detail::SqliteDatabase> SqliteHistory::open(int flags) const {
  sqlite3* opened = nullptr;
  const int code = sqlite3_open_v2(path_.c_str(), &opened, flags | SQLITE_OPEN_NOMUTEX, nullptr);
  detail::SqliteDatabase database(opened);
  if (opened == nullptr) return failure(ErrorKind::out_of_memory, "SQLite could not be started");
  if (code != SQLITE_OK) return refused(opened, "open");
  sqlite3_busy_timeout(opened, options_.patience_seconds * 1000);
  sqlite3_exec(opened, options_.to_medium ? "PRAGMA synchronous = FULL" : "PRAGMA synchronous = NORMAL", nullptr,
               nullptr, nullptr);
  return database;
}

ASSAY_DETAIL_HEADER_INLINE Result<void> SqliteHistory::check_form(sqlite3* database, bool writing) const {
  const char* what = writing ? "append to" : "read";
  const std::int64_t tables = number(database, "SELECT count(*) FROM sqlite_master"),
                     version = number(database, "PRAGMA user_version");
  if (tables < 0 || version < 0) return refused(database, what);
  if (tables == 0 && version == 0) return {};
  if (number(database, "PRAGMA application_id") != sqlite_history_application)
    return failure(ErrorKind::malformed, std::string("cannot ") + what + " '" + path_.string() +
                                             "': it is an SQLite database of something else; name another file");
  if (version != sqlite_history_version)
    return failure(ErrorKind::malformed,
                   std::string("cannot ") + what + " '" + path_.string() + "': its form has version " +
                       std::to_string(version) + ", and this version of Assay knows " +
                       std::to_string(sqlite_history_version) + "; use the version that wrote it, or a newer one");
  return {};
}

ASSAY_DETAIL_HEADER_INLINE Result<void> SqliteHistory::make_tables(sqlite3* database) const {
  if (const auto known = check_form(database, true); !known) return known;
  if (!empty(database)) return {};
  // Outside of a transaction, and refused while another process does the same: it is told by the next statement if at
  // all.
  sqlite3_exec(database, "PRAGMA journal_mode = WAL", nullptr, nullptr, nullptr);
  if (sqlite3_exec(database, "BEGIN IMMEDIATE", nullptr, nullptr, nullptr) != SQLITE_OK)
    return refused(database, "append to");
  const std::string script =
      "CREATE TABLE IF NOT EXISTS run(id INTEGER PRIMARY KEY, time INTEGER NOT NULL, labels TEXT NOT NULL, environment "
      "TEXT NOT NULL, "
      "clocks TEXT NOT NULL);"
      "CREATE TABLE IF NOT EXISTS series(id INTEGER PRIMARY KEY, name TEXT NOT NULL, configuration TEXT NOT NULL, "
      "metric TEXT NOT NULL, "
      "unit TEXT NOT NULL,"
      " direction TEXT NOT NULL, UNIQUE(name, configuration, metric, unit, direction));"
      "CREATE TABLE IF NOT EXISTS point(run INTEGER NOT NULL REFERENCES run, series INTEGER NOT NULL REFERENCES "
      "series, samples BLOB NOT "
      "NULL,"
      " note TEXT NOT NULL, crc32 INTEGER NOT NULL, PRIMARY KEY(run, series)) WITHOUT ROWID;"
      "PRAGMA application_id = " +
      std::to_string(sqlite_history_application) + "; PRAGMA user_version = " + std::to_string(sqlite_history_version) +
      "; COMMIT";
  if (sqlite3_exec(database, script.c_str(), nullptr, nullptr, nullptr) == SQLITE_OK) return {};
  const Failure why = refused(database, "append to");
  sqlite3_exec(database, "ROLLBACK", nullptr, nullptr, nullptr);
  return why;
}

ASSAY_DETAIL_HEADER_INLINE bool SqliteHistory::insert(sqlite3* database, std::span<const HistoryRun> runs) {
  detail::SqliteStatement add_run(database, "INSERT INTO run(time, labels, environment, clocks) VALUES (?, ?, ?, ?)");
  detail::SqliteStatement find(
      database,
      "SELECT id FROM series WHERE name = ? AND configuration = ? AND metric = ? AND unit = ? AND direction = ?");
  detail::SqliteStatement add_series(
      database, "INSERT INTO series(name, configuration, metric, unit, direction) VALUES (?, ?, ?, ?, ?)");
  detail::SqliteStatement add_point(database,
                                    "INSERT INTO point(run, series, samples, note, crc32) VALUES (?, ?, ?, ?, ?)");
  for (const HistoryRun& run : runs) {
    const std::string labels = detail::canonical_text(run.origin.labels),
                      environment = detail::canonical_text(run.origin.environment),
                      clocks = detail::canonical_text(run.origin.clocks);
    add_run.reset();
    add_run.bind(1, std::int64_t{run.origin.time.time_since_epoch().count()});
    add_run.bind(2, labels);
    add_run.bind(3, environment);
    add_run.bind(4, clocks);
    if (add_run.step() != SQLITE_DONE) return false;
    const std::int64_t id = sqlite3_last_insert_rowid(database);
    for (const HistoryPoint& point : run.points) {
      const std::string configuration = detail::canonical_text(point.configuration);
      const auto bind_series = [&](detail::SqliteStatement& statement) {
        statement.reset();
        statement.bind(1, point.name);
        statement.bind(2, configuration);
        statement.bind(3, point.metric.name);
        statement.bind(4, point.metric.unit);
        statement.bind(5, name_of(point.metric.direction));
        return statement.step();
      };
      std::int64_t series = 0;
      if (const int code = bind_series(find); code == SQLITE_ROW)
        series = find.integer(0);
      else if (code != SQLITE_DONE || bind_series(add_series) != SQLITE_DONE)
        return false;
      else
        series = sqlite3_last_insert_rowid(database);

      const std::size_t size = point.metric.samples.size() * sizeof(double);
      add_point.reset();
      add_point.bind(1, id);
      add_point.bind(2, series);
      add_point.bind_bytes(3, point.metric.samples.data(), size);
      add_point.bind(4, point.metric.note);
      add_point.bind(5,
                     std::int64_t{detail::crc32({reinterpret_cast<const char*>(point.metric.samples.data()), size})});
      if (add_point.step() != SQLITE_DONE) return false;
    }
  }
  return true;
}

ASSAY_DETAIL_HEADER_INLINE Result<History> SqliteHistory::read(sqlite3* database) const {
  History history;
  std::unordered_map<std::int64_t, std::size_t> runs;
  detail::SqliteStatement each_run(database, "SELECT id, time, labels, environment, clocks FROM run ORDER BY id");
  while (each_run.step() == SQLITE_ROW) {
    RunOrigin origin;
    const std::int64_t id = each_run.integer(0);
    origin.time = UtcTime(std::chrono::milliseconds(each_run.integer(1)));
    for (const auto& [column, map] :
         {std::pair{2, &origin.labels}, std::pair{3, &origin.environment}, std::pair{4, &origin.clocks}}) {
      auto parsed = detail::parse_canonical_text(each_run.text(column));
      if (!parsed)
        return damaged("run " + std::to_string(id),
                       "'" + clipped(visible(each_run.text(column)), 60) + "' does not read k=v,…");
      *map = std::move(*parsed);
    }
    runs.emplace(id, history.runs.size());
    history.runs.push_back(std::move(origin));
  }
  if (each_run.code() != SQLITE_DONE) return refused(database, "read");

  struct Known {
    std::size_t index;
    Direction direction;
    std::string unit;
  };
  std::unordered_map<std::int64_t, Known> known;
  detail::SqliteStatement each_series(
      database, "SELECT id, name, configuration, metric, unit, direction FROM series ORDER BY id");
  while (each_series.step() == SQLITE_ROW) {
    const std::int64_t id = each_series.integer(0);
    const auto configuration = detail::parse_canonical_text(each_series.text(2));
    const auto direction = direction_named(each_series.text(5));
    if (!configuration || !direction || each_series.text(1).empty() || each_series.text(3).empty())
      return damaged("series " + std::to_string(id), "its name, configuration, metric or direction cannot be read");
    known.emplace(id, Known{history.series_of(each_series.text(1), *configuration, each_series.text(3),
                                              each_series.text(4), *direction),
                            *direction, std::string(each_series.text(4))});
  }
  if (each_series.code() != SQLITE_DONE) return refused(database, "read");

  detail::SqliteStatement each_point(database,
                                     "SELECT run, series, samples, note, crc32 FROM point ORDER BY run, series");
  while (each_point.step() == SQLITE_ROW) {
    const auto run = runs.find(each_point.integer(0));
    const auto series = known.find(each_point.integer(1));
    const std::string_view bytes = each_point.bytes(2);
    const auto where = [&] {
      return "run " + std::to_string(each_point.integer(0)) + ", series " + std::to_string(each_point.integer(1));
    };
    if (run == runs.end() || series == known.end())
      return damaged(where(), "a point is there, and its run or its series is not");
    SeriesPoint point{run->second, std::vector<double>(bytes.size() / sizeof(double)), std::string(each_point.text(3))};
    if (bytes.empty() || bytes.size() % sizeof(double) != 0 || detail::crc32(bytes) != each_point.integer(4))
      return damaged(where(), "the checksum of its samples says that they were changed since they were written");
    std::memcpy(point.samples.data(), bytes.data(), bytes.size());
    if (!are_samples(point.samples)) return damaged(where(), "a sample is no number");
    HistorySeries& own = history.series[series->second.index];
    own.direction = series->second.direction;  // of the run appended last
    if (own.unit != series->second.unit) detail::convert(point.samples, series->second.unit, own.unit);
    if (!are_samples(point.samples)) return damaged(where(), "a sample is beyond 1e150 in the unit of its series");
    own.points.push_back(std::move(point));
  }
  if (each_point.code() != SQLITE_DONE) return refused(database, "read");
  drop_repeated_runs(history, path_.string());
  return history;
}

}  // namespace assay::inline v0
