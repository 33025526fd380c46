#pragma once

#include <optional>
#include <string>
#include <utility>

#include "assay/core/misuse.hpp"

namespace assay::inline v0 {

/// What kind of failure the environment handed us. `unsupported` becomes the verdict of the same name;
/// every other kind becomes the verdict `error`.
enum class ErrorKind {
  unsupported,    ///< the device, library or file format does not offer what was asked for
  out_of_memory,  ///< an allocation was refused
  device,         ///< a device or library call failed
  io,             ///< a file or stream could not be read or written
  malformed,      ///< data was read but does not have the form it claims
  not_found,      ///< what was named does not exist
  invalid,        ///< a description of work contradicts itself (extents, strides, names)
  timed_out,      ///< a deadline passed
  aborted         ///< given up because another part of the same work failed, or because it was asked for
};

/// A failure with a message that says what was given, what was expected, and what to do.
struct Error {
  ErrorKind kind = ErrorKind::device;
  std::string message;
};

/// Marks an `Error` for conversion into any `Result<T>`.
struct Failure {
  Error error;
};

/// What a function that returns a `Result` returns when it fails: `return failure(ErrorKind::io, "…")`.
[[nodiscard]] inline Failure failure(ErrorKind kind, std::string message) {
  return Failure{Error{kind, std::move(message)}};
}

/// A value, or the reason why the environment refused it (devices, files, stores, networks).
/// Misuse by the caller is not a `Result`; see `misuse`.
template <class T>
class [[nodiscard]] Result {
 public:
  using value_type = T;  ///< what a success holds

  Result(T value) : value_(std::in_place, std::move(value)) {}
  Result(Failure failure) : error_(std::move(failure.error)) {}

  /// Whether there is a value; `error()` may be asked for otherwise.
  [[nodiscard]] bool has_value() const noexcept { return value_.has_value(); }
  /// The same as `has_value()`.
  explicit operator bool() const noexcept { return has_value(); }

  /// The value. Misuse if there is none: the message then carries the error.
  [[nodiscard]] T& value() & {
    require_value();
    return *value_;
  }
  [[nodiscard]] const T& value() const& {
    require_value();
    return *value_;
  }
  /// By value, so that what a loop over `f().value()` goes through lives as long as the loop.
  [[nodiscard]] T value() && {
    require_value();
    return std::move(*value_);
  }

  /// The error. Precondition: `!has_value()`.
  [[nodiscard]] const Error& error() const {
    if (has_value()) misuse("Result::error() was called on a result that holds a value; test it first.");
    return error_;
  }

  /// The same failure for a function that returns another type. Precondition: `!has_value()`.
  [[nodiscard]] Failure propagate() const { return Failure{error()}; }

 private:
  void require_value() const {
    if (!has_value()) misuse("Result::value() was called on a failure: " + error_.message);
  }

  std::optional<T> value_;  // beside an error that is empty then: a variant costs many times as much to compile
  Error error_;
};

/// Success, or the reason why the environment refused.
template <>
class [[nodiscard]] Result<void> {
 public:
  using value_type = void;  ///< what a success holds: nothing

  Result() = default;
  Result(Failure failure) : error_(std::move(failure.error)) {}

  /// Whether it succeeded; `error()` may be asked for otherwise.
  [[nodiscard]] bool has_value() const noexcept { return !error_.has_value(); }
  /// The same as `has_value()`.
  explicit operator bool() const noexcept { return has_value(); }
  void value() const {
    if (error_) misuse("Result::value() was called on a failure: " + error_->message);
  }
  [[nodiscard]] const Error& error() const {
    if (!error_) misuse("Result::error() was called on a result that holds a value; test it first.");
    return *error_;
  }
  [[nodiscard]] Failure propagate() const { return Failure{error()}; }

 private:
  std::optional<Error> error_;
};

}  // namespace assay::inline v0
