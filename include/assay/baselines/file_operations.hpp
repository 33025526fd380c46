#pragma once

#include <concepts>
#include <string>
#include <string_view>
#include <vector>

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>

namespace assay::inline v0 {

/// What the directory store asks of an operating system. Every operation gives 0, or the value of errno that tells why
/// not. Tests put theirs in place of `PosixFileOperations`: that record, that fail, that forget. `create_file` makes a
/// new file for writing, which `write` fills and `close` ends; `link`, `rename` and `remove` work on names;
/// `make_folder` makes one level; `synchronize_file` and `synchronize_folder` return when the medium has it; `read`
/// gives all bytes of a file, `list` the names in a folder.
template <class F>
concept FileOperations = std::movable<F> &&
    requires(F& files, const std::string& path, std::string_view bytes, int& descriptor, std::string& content,
             std::vector<std::string>& names) {
  { files.create_file(path, descriptor) } -> std::same_as<int>;
  { files.write(descriptor, bytes) } -> std::same_as<int>;
  { files.synchronize_file(descriptor) } -> std::same_as<int>;
  { files.close(descriptor) } -> std::same_as<int>;
  { files.link(path, path) } -> std::same_as<int>;
  { files.rename(path, path) } -> std::same_as<int>;
  { files.remove(path) } -> std::same_as<int>;
  { files.make_folder(path) } -> std::same_as<int>;
  { files.synchronize_folder(path) } -> std::same_as<int>;
  { files.read(path, content) } -> std::same_as<int>;
  { files.list(path, names) } -> std::same_as<int>;
};

/// The operating system's. Stateless; any number of threads.
struct PosixFileOperations {
  /// A new file for writing; EEXIST if there is one.
  [[nodiscard]] int create_file(const std::string& path, int& descriptor) const {
    descriptor = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    return descriptor < 0 ? errno : 0;
  }
  /// All of the bytes.
  [[nodiscard]] int write(int descriptor, std::string_view bytes) const;
  /// Content and size are on the medium; the name need not be.
  [[nodiscard]] int synchronize_file(int descriptor) const { return ::fsync(descriptor) == 0 ? 0 : errno; }
  [[nodiscard]] int close(int descriptor) const { return ::close(descriptor) == 0 || errno == EINTR ? 0 : errno; }
  /// A second name for a file; EEXIST if there is something of that name.
  [[nodiscard]] int link(const std::string& file, const std::string& name) const {
    return ::link(file.c_str(), name.c_str()) == 0 ? 0 : errno;
  }
  /// Another name for a file, in the place of what had it.
  [[nodiscard]] int rename(const std::string& file, const std::string& name) const {
    return ::rename(file.c_str(), name.c_str()) == 0 ? 0 : errno;
  }
  [[nodiscard]] int remove(const std::string& file) const { return ::unlink(file.c_str()) == 0 ? 0 : errno; }
  [[nodiscard]] int make_folder(const std::string& path) const { return ::mkdir(path.c_str(), 0777) == 0 ? 0 : errno; }
  /// The names in the folder are on the medium.
  [[nodiscard]] int synchronize_folder(const std::string& path) const;
  [[nodiscard]] int read(const std::string& path, std::string& content) const;
  /// The names in a folder, in any order, without "." and "..".
  [[nodiscard]] int list(const std::string& path, std::vector<std::string>& names) const;

 private:
  static int read_all(int descriptor, std::string& content);
};

static_assert(FileOperations<PosixFileOperations>);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/baselines/file_operations.ipp"
#endif
