#pragma once

#include <sqlite3.h>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "assay/core/checksum.hpp"
#include "assay/performance/detail/sqlite_statement.hpp"
#include "assay/performance/history_store.hpp"

/// A history as an SQLite database: for histories that other tools query. The tables: run(id, time, labels,
/// environment, clocks) time in milliseconds since 1970, UTC; maps as "k=v,…" (%XX for = , { } and %) series(id, name,
/// configuration, metric, unit, direction) point(run, series, samples, note, crc32) samples as 64-bit floating-point
/// numbers, least significant byte first
namespace assay::inline v0 {

/// The value of `PRAGMA user_version`.
inline constexpr int sqlite_history_version = 1;
/// The value of `PRAGMA application_id`: "assa".
inline constexpr std::int64_t sqlite_history_application = 0x61737361;

/// How a database is used.
struct SqliteHistoryOptions {
  /// `append` returns when the run survives a loss of power (synchronous = FULL); false: a kill of the process
  bool to_medium = true;
  int patience_seconds = 30;  ///< how long to wait for another writer
};

/// A `HistoryStore` on an SQLite database in WAL mode: readers do not wait for writers. Not for network file systems,
/// on which WAL fails. A run is one transaction. The samples of a point carry a CRC-32; SQLite's own structure is
/// checked as it reads it, not otherwise (`PRAGMA integrity_check` reads all of it). `load` is O(bytes).
class SqliteHistory {
 public:
  /// The file need not exist; the first `append` makes it.
  explicit SqliteHistory(std::filesystem::path path, SqliteHistoryOptions options = {})
      : path_(std::move(path)), options_(options) {}

  /// The file.
  [[nodiscard]] const std::filesystem::path& path() const noexcept { return path_; }

  /// Errors beside those of the concept: `malformed` where the file is another database.
  [[nodiscard]] Result<void> append(const HistoryRun& run) { return append(std::span(&run, 1)); }

  /// Appends all of the runs or none, in one transaction.
  [[nodiscard]] Result<void> append(std::span<const HistoryRun> runs);

  [[nodiscard]] Result<History> load() const;

 private:
  static_assert(std::endian::native == std::endian::little,
                "samples stand in the database least significant byte first");

  [[nodiscard]] Failure refused(sqlite3* database, const char* what) const;
  [[nodiscard]] Failure damaged(const std::string& where, const std::string& why) const {
    return failure(ErrorKind::malformed, "'" + path_.string() + "', " + where + ": " + why);
  }

  [[nodiscard]] Result<detail::SqliteDatabase> open(int flags) const;

  [[nodiscard]] static std::int64_t number(sqlite3* database, const char* query) {
    detail::SqliteStatement statement(database, query);
    return statement.step() == SQLITE_ROW ? statement.integer(0) : -1;
  }
  [[nodiscard]] static bool empty(sqlite3* database) {
    return number(database, "SELECT count(*) FROM sqlite_master") == 0;
  }

  /// Whether the database is a history of this version, or empty.
  [[nodiscard]] Result<void> check_form(sqlite3* database, bool writing) const;

  [[nodiscard]] Result<void> make_tables(sqlite3* database) const;

  [[nodiscard]] static bool insert(sqlite3* database, std::span<const HistoryRun> runs);

  [[nodiscard]] Result<History> read(sqlite3* database) const;

  std::filesystem::path path_;
  SqliteHistoryOptions options_;
  detail::SqliteDatabase writer_;
};

static_assert(HistoryStore<SqliteHistory>);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/performance/history_sqlite.ipp"
#endif
