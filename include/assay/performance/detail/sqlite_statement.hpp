#pragma once

#include <sqlite3.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "assay/core/result.hpp"

namespace assay::inline v0::detail {

struct SqliteClose {
  void operator()(sqlite3* database) const noexcept { sqlite3_close_v2(database); }
};
using SqliteDatabase = std::unique_ptr<sqlite3, SqliteClose>;

/// One statement, bound from 1 and read from column 0 as SQLite does. Valid while its database is open.
class SqliteStatement {
 public:
  SqliteStatement(sqlite3* database, const char* text) {
    sqlite3_stmt* prepared = nullptr;
    code_ = sqlite3_prepare_v2(database, text, -1, &prepared, nullptr);
    statement_.reset(prepared);
  }

  [[nodiscard]] int code() const noexcept { return code_; }
  /// SQLITE_ROW, SQLITE_DONE or an error.
  int step() { return code_ = code_ == SQLITE_OK || code_ == SQLITE_ROW ? sqlite3_step(statement_.get()) : code_; }
  void reset() {
    sqlite3_reset(statement_.get());
    code_ = SQLITE_OK;
  }

  void bind(int at, std::int64_t value) { check(sqlite3_bind_int64(statement_.get(), at, value)); }
  /// The bytes must live until the statement is reset or bound again.
  void bind(int at, std::string_view text) {
    check(sqlite3_bind_text64(statement_.get(), at, text.data() == nullptr ? "" : text.data(), text.size(),
                              SQLITE_STATIC, SQLITE_UTF8));
  }
  void bind_bytes(int at, const void* bytes, std::size_t size) {
    check(sqlite3_bind_blob64(statement_.get(), at, bytes, size, SQLITE_STATIC));
  }

  [[nodiscard]] std::int64_t integer(int column) { return sqlite3_column_int64(statement_.get(), column); }
  [[nodiscard]] std::string_view text(int column) {
    const auto* bytes = reinterpret_cast<const char*>(sqlite3_column_text(statement_.get(), column));
    return bytes == nullptr
               ? std::string_view()
               : std::string_view(bytes, static_cast<std::size_t>(sqlite3_column_bytes(statement_.get(), column)));
  }
  [[nodiscard]] std::string_view bytes(int column) {
    const auto* data = static_cast<const char*>(sqlite3_column_blob(statement_.get(), column));
    return data == nullptr
               ? std::string_view()
               : std::string_view(data, static_cast<std::size_t>(sqlite3_column_bytes(statement_.get(), column)));
  }

 private:
  struct Finalize {
    void operator()(sqlite3_stmt* statement) const noexcept { sqlite3_finalize(statement); }
  };
  void check(int code) {
    if (code != SQLITE_OK) code_ = code;
  }

  std::unique_ptr<sqlite3_stmt, Finalize> statement_;
  int code_ = SQLITE_OK;
};

}  // namespace assay::inline v0::detail
