#pragma once

#include <cerrno>
#include <charconv>
#include <cstddef>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "assay/baselines/file_operations.hpp"
#include "assay/baselines/record_form.hpp"
#include "assay/baselines/sha256.hpp"
#include "assay/baselines/store.hpp"
#include "assay/core/result.hpp"

/// Records of a store as one file, to be kept elsewhere or carried to another store. README.md beside this header
/// states its form.
namespace assay::inline v0 {

/// What came of an import.
struct ImportReport {
  std::size_t imported = 0;            ///< records that were saved
  std::size_t unchanged = 0;           ///< there already, to the byte
  std::vector<std::string> conflicts;  ///< keys under which the store has another record, which stayed
};

namespace detail {

inline constexpr std::string_view archive_first_line = "assay-baseline-archive/1\n";

/// The line before a record.
[[nodiscard]] inline std::string archive_line(const std::string& key, std::string_view record) {
  return "record " + key + " " + std::to_string(record.size()) + " " + sha256(record) + "\n";
}

/// Reads an archive from its start to its end, and calls `take(key, record)`, which may fail. Every byte is checked,
/// those of the end last.
template <class Take>
[[nodiscard]] Result<void> read_archive(const std::filesystem::path& path, const Take& take) {
  const auto damaged = [&](const std::string& what) {
    return failure(ErrorKind::malformed,
                   "the archive '" + path.string() + "' is damaged: " + what + "; nothing of it was imported");
  };
  std::ifstream file(path, std::ios::binary);
  if (!file) return failure(ErrorKind::io, "cannot read the archive '" + path.string() + "': " + std::strerror(errno));
  std::error_code code;
  const auto total = std::filesystem::file_size(path, code);
  std::string line, lines, record;
  if (!std::getline(file, line)) return damaged("it is empty");
  if (line + "\n" != archive_first_line) {
    if (line.rfind("assay-baseline-archive/", 0) == 0)
      return failure(ErrorKind::unsupported,
                     "the archive '" + path.string() + "' is '" + line.substr(0, 60) +
                         "', and this version reads assay-baseline-archive/1; use a newer version of Assay");
    return damaged("it does not begin with '" +
                   std::string(archive_first_line.substr(0, archive_first_line.size() - 1)) + "'");
  }
  lines = archive_first_line;
  std::size_t number = 0;
  while (std::getline(file, line)) {
    if (line.rfind("end ", 0) == 0) {
      if (line != "end " + sha256(lines) || file.eof())
        return damaged("its last line does not have the digest of what it ends");
      if (file.peek() != std::ifstream::traits_type::eof()) return damaged("something follows its end");
      return {};
    }
    ++number;
    const std::string which = "record " + std::to_string(number);
    const auto after = [&line](std::size_t place) {
      return place == std::string::npos ? place : line.find(' ', place + 1);
    };
    const std::size_t first = line.find(' '), second = after(first), third = after(second);
    std::size_t bytes = 0;
    if (line.rfind("record ", 0) != 0 || third == std::string::npos)
      return damaged("there is no " + which + " where it should begin");
    const auto [end, fault] = std::from_chars(line.data() + second + 1, line.data() + third, bytes);
    const std::string key = line.substr(first + 1, second - first - 1);
    if (fault != std::errc() || end != line.data() + third || bytes > total || !is_store_key(key))
      return damaged("the line before " + which + " is none");
    record.resize(bytes);
    if (!file.read(record.data(), static_cast<std::streamsize>(bytes)))
      return damaged("it was cut off in " + which + ", " + key);
    if (archive_line(key, record) != line + "\n")
      return damaged(which + ", " + key + ", does not have the digest that is stated before it");
    lines += line + "\n";
    if (const Result<void> taken = take(key, std::as_const(record)); !taken) return taken.propagate();
  }
  return damaged("it was cut off after " + std::to_string(number) + " records");
}

}  // namespace detail

/// Writes the records under these keys into one file, whole or not at all; an existing file stays as it is. Gives their
/// number. Errors: a record that is damaged or gone, `io`.
template <Store S>
[[nodiscard]] Result<std::size_t> export_records(const S& store, const std::vector<std::string>& keys,
                                                 const std::filesystem::path& path) {
  const PosixFileOperations files;
  const auto refused = [&](int cause) {
    return failure(ErrorKind::io, "cannot write the archive '" + path.string() + "': " + std::strerror(cause));
  };
  const std::string temporary = path.string() + ".part-" + std::to_string(::getpid());
  int descriptor = -1;
  static_cast<void>(files.remove(temporary));
  if (const int cause = files.create_file(temporary, descriptor); cause != 0) return refused(cause);
  const auto written = [&]() -> Result<void> {
    std::string lines(detail::archive_first_line);
    if (const int cause = files.write(descriptor, lines); cause != 0) return refused(cause);
    for (const std::string& key : keys) {
      const auto text = store.load(key);
      if (!text) return text.propagate();
      if (!text.value())
        return failure(ErrorKind::not_found, "there is no record '" + key + "' in " + store.describe());
      if (const auto record = record_from_text(*text.value()); !record)
        return failure(record.error().kind,
                       "the record '" + key + "' of " + store.describe() + ": " + record.error().message);
      const std::string line = detail::archive_line(key, *text.value());
      for (const std::string_view part : {std::string_view(line), std::string_view(*text.value())})
        if (const int cause = files.write(descriptor, part); cause != 0) return refused(cause);
      lines += line;
    }
    int cause = files.write(descriptor, "end " + detail::sha256(lines) + "\n");
    if (cause == 0) cause = files.synchronize_file(descriptor);
    return cause == 0 ? Result<void>() : Result<void>(refused(cause));
  }();
  int cause = files.close(descriptor);
  if (written && cause == 0) cause = files.link(temporary, path.string());
  static_cast<void>(files.remove(temporary));
  if (!written) return written.propagate();
  if (cause != 0) return refused(cause);
  static_cast<void>(files.synchronize_folder(path.has_parent_path() ? path.parent_path().string() : "."));
  return keys.size();
}

/// Saves the records of an archive that the store does not have. The whole archive is checked before the first is
/// saved; what the store has stays. Errors: `malformed` and `unsupported` for archives and records in them, `io`, those
/// of the store.
template <Store S>
[[nodiscard]] Result<ImportReport> import_records(S& store, const std::filesystem::path& path) {
  const auto check = [&](const std::string& key, const std::string& text) -> Result<void> {
    const auto record = record_from_text(text);
    if (!record)
      return failure(record.error().kind,
                     "the record '" + key + "' of the archive '" + path.string() + "': " + record.error().message);
    if (key.rfind(record.value().key, 0) != 0)
      return failure(ErrorKind::malformed, "under the key '" + key + "' of the archive '" + path.string() +
                                               "' lies the record of " + record.value().key);
    return {};
  };
  if (const Result<void> whole = detail::read_archive(path, check); !whole) return whole.propagate();
  ImportReport report;
  const auto save = [&](const std::string& key, const std::string& text) -> Result<void> {
    const Result<bool> saved = store.save(key, text, SaveMode::create);
    if (!saved) return saved.propagate();
    if (saved.value()) {
      ++report.imported;
      return {};
    }
    const auto present = store.load(key);
    if (!present) return present.propagate();
    if (present.value() == text)
      ++report.unchanged;
    else
      report.conflicts.push_back(key);
    return {};
  };
  if (const Result<void> done = detail::read_archive(path, save); !done) return done.propagate();
  return report;
}

}  // namespace assay::inline v0
