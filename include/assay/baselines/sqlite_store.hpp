#pragma once

#include <sqlite3.h>

#include <cstddef>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "assay/baselines/store.hpp"

namespace assay::inline v0 {

/// Records in one SQLite database: table `baseline_records` (key, record). A `Store`, for many processes of one machine
/// (SQLite's log is shared memory: no network file systems). Write-ahead log and synchronous = FULL: what was saved
/// survives a power failure. A record has at most 2³⁰ bytes or so (SQLite's own limit).
class SqliteStore {
 public:
  /// `wait_milliseconds`: how long an operation waits for the writers of other processes before it fails. Errors:
  /// `not_found` if there is no such file and `access` makes none, `malformed` if the file is no database, `invalid` if
  /// it holds other things, `unsupported` for the layout of a newer version, `io`.
  [[nodiscard]] static Result<SqliteStore> open(const std::string& file, StoreAccess access,
                                                int wait_milliseconds = 60'000);

  [[nodiscard]] Result<std::optional<std::string>> load(const std::string& key) const;

  [[nodiscard]] Result<bool> save(const std::string& key, std::string_view record, SaveMode mode);

  [[nodiscard]] Result<std::vector<std::string>> list() const;

  [[nodiscard]] Result<bool> erase(const std::string& key);

  [[nodiscard]] std::string describe() const {
    return "the baseline store in the SQLite database '" + state_->file + "'";
  }

 private:
  static constexpr int application = 0x41535359;  // "ASSY", as `file` shows it
  static constexpr int layout = 1;

  struct CloseConnection {
    void operator()(sqlite3* connection) const { sqlite3_close_v2(connection); }
  };
  struct Finalize {
    void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
  };
  using Statement = std::unique_ptr<sqlite3_stmt, Finalize>;

  struct State {
    std::string file;
    std::unique_ptr<sqlite3, CloseConnection> connection;
    std::mutex mutex;  ///< errors and numbers of changes belong to a connection's last statement
  };

  explicit SqliteStore(const std::string& file) : state_(new State{file, {}, {}}) {}

  [[nodiscard]] Failure refused(const std::string& what) const;

  [[nodiscard]] Statement prepared(const char* text, const std::string& key = {}) const;
  [[nodiscard]] bool execute(const char* text) const {
    return sqlite3_exec(state_->connection.get(), text, nullptr, nullptr, nullptr) == SQLITE_OK;
  }

  [[nodiscard]] Result<int> number(const char* text) const {
    auto statement = prepared(text);
    if (!statement || sqlite3_step(statement.get()) != SQLITE_ROW) return refused("open");
    return sqlite3_column_int(statement.get(), 0);
  }

  /// Makes the table where there is none, and sets what makes writes durable.
  [[nodiscard]] Result<void> prepare();

  std::unique_ptr<State> state_;
};

static_assert(Store<SqliteStore>);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/baselines/sqlite_store.ipp"
#endif
