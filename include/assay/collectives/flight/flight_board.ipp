#pragma once

#include "assay/collectives/flight/flight_board.hpp"

#include <unistd.h>
#include <algorithm>
#include <cerrno>
#include <system_error>

#include "assay/core/config.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE Result<FlightRecorder> FlightBoard::recorder(int rank, int size,
                                                                        std::size_t capacity) const {
  expect(rank >= 0 && rank < size && capacity >= 1, [&] {
    return "a flight recorder was asked for by rank " + std::to_string(rank) + " of " + std::to_string(size) +
           "; ranks count from 0";
  });
  std::error_code code;
  std::filesystem::create_directories(folder_, code);
  const std::string name = file_of(rank).string(), temporary = name + "." + std::to_string(::getpid()) + ".new";
  const auto refused = [&](const char* step) {
    const int cause = errno;
    ::unlink(temporary.c_str());
    return failure(ErrorKind::io, std::string("the flight record '") + name + "' could not be made: " + step + ": " +
                                      std::strerror(cause));
  };
  const std::size_t bytes = detail::flight_bytes(capacity);
  const int descriptor = ::open(temporary.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (descriptor < 0) return refused("open");
  // Reserved now: a medium that is full later would end the process by SIGBUS.
  const int reserved = ::posix_fallocate(descriptor, 0, static_cast<off_t>(bytes));
  void* memory = reserved == 0 ? ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0) : MAP_FAILED;
  if (reserved != 0) errno = reserved;
  const int cause = errno;
  ::close(descriptor);
  errno = cause;
  if (memory == MAP_FAILED) return refused(reserved != 0 ? "reserving space" : "mmap");
  std::shared_ptr<void> held(memory, [bytes](void* at) { ::munmap(at, bytes); });
  FlightRecorder made(std::move(held), capacity, rank, size, run_);
  if (::rename(temporary.c_str(), name.c_str()) != 0) return refused("rename");  // readers see a whole header or none
  return made;
}

ASSAY_DETAIL_HEADER_INLINE Result<RankFlight> FlightBoard::read_file(const std::filesystem::path& path) const {
  const auto refused = [&](ErrorKind kind, const std::string& why) {
    return failure(kind, "the flight record '" + path.string() + "' " + why);
  };
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0)
    return refused(errno == ENOENT ? ErrorKind::not_found : ErrorKind::io,
                   std::string("cannot be opened: ") + std::strerror(errno));
  struct stat status {};
  if (::fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode)) {
    ::close(descriptor);
    return refused(ErrorKind::malformed, "is not a file");
  }
  // A copy of what is there: a mapping of a file that somebody cuts short meanwhile would end the reader by SIGBUS.
  const auto bytes = static_cast<std::size_t>(status.st_size);
  const std::size_t most = detail::flight_bytes(std::size_t{1} << 24);
  if (bytes < detail::flight_bytes(1) || bytes > most) {
    ::close(descriptor);
    return refused(ErrorKind::malformed, "has " + std::to_string(bytes) + " bytes; a flight record has " +
                                             std::to_string(detail::flight_bytes(1)) +
                                             " at least: it is cut short, or something else");
  }
  std::vector<detail::FlightSlot> copy((bytes + sizeof(detail::FlightSlot) - 1) / sizeof(detail::FlightSlot));
  std::size_t read = 0;
  for (ssize_t got = 1; read < bytes && got != 0; read += got > 0 ? static_cast<std::size_t>(got) : 0) {
    got = ::read(descriptor, reinterpret_cast<char*>(copy.data()) + read, bytes - read);
    if (got < 0 && errno != EINTR) break;
  }
  ::close(descriptor);
  if (read != bytes) return refused(ErrorKind::io, "could be read in part only");
  return checked(path, reinterpret_cast<const detail::FlightHeader*>(copy.data()),
                 copy.data() + detail::flight_header_bytes / sizeof(detail::FlightSlot), bytes);
}

ASSAY_DETAIL_HEADER_INLINE Result<FlightBoardReading> FlightBoard::read() const {
  FlightBoardReading reading;
  std::error_code code;
  std::vector<std::filesystem::path> paths;
  for (std::filesystem::directory_iterator entry(folder_, code), end; !code && entry != end; entry.increment(code))
    if (entry->path().extension() == ".flight") paths.push_back(entry->path());
  if (code)
    return failure(ErrorKind::not_found, "the board '" + folder_.string() + "' cannot be read: " + code.message());
  std::sort(paths.begin(), paths.end());
  for (const auto& path : paths) {
    auto flight = read_file(path);
    if (!flight)
      reading.problems.push_back(flight.error().message);
    else if (path != file_of(flight.value().rank))
      reading.problems.push_back("the flight record '" + path.string() + "' is that of rank " +
                                 std::to_string(flight.value().rank) + " by its content, and not by its name");
    else
      reading.flights.push_back(std::move(flight).value());
  }
  std::sort(reading.flights.begin(), reading.flights.end(),
            [](const RankFlight& a, const RankFlight& b) { return a.rank < b.rank; });
  return reading;
}

ASSAY_DETAIL_HEADER_INLINE Result<RankFlight> FlightBoard::checked(const std::filesystem::path& path,
                                                                   const detail::FlightHeader* header,
                                                                   const detail::FlightSlot* slots,
                                                                   std::size_t bytes) const {
  const auto refused = [&](const std::string& why) {
    return failure(ErrorKind::malformed, "the flight record '" + path.string() + "' " + why);
  };
  if (header->magic != detail::flight_magic)
    return refused("does not begin as one: it is another kind of file, or of another version of Assay");
  if (header->check != header->computed_check() || header->slot_bytes != sizeof(detail::FlightSlot) ||
      header->capacity == 0)
    return refused("has a torn header");
  if (header->capacity > bytes ||
      detail::flight_bytes(header->capacity) != bytes)  // the first keeps the second from overflowing
    return refused("has " + std::to_string(bytes) + " bytes and names " + std::to_string(header->capacity) +
                   " records, " + std::to_string(detail::flight_bytes(header->capacity)) + " bytes: it is cut short");
  if (header->size < 1 || header->rank < 0 || header->rank >= header->size)
    return refused("is of rank " + std::to_string(header->rank) + " of " + std::to_string(header->size));
  if (!run_.empty() && detail::field_text(header->run) != run_)
    return refused("is of the run '" + detail::field_text(header->run) + "', not of '" + run_ + "'");
  detail::FlightReading reading = detail::read_flight(*header, slots);
  if (!reading.wrong.empty()) return refused("is torn: " + reading.wrong);
  const detail::ProcessIdentity process{header->process, header->process_started, header->process_space,
                                        detail::field_text(header->host), detail::field_text(header->boot)};
  reading.flight.life =
      header->closed.load(std::memory_order_acquire) != 0 ? ProcessLife::ended : detail::life_of(process);
  return std::move(reading.flight);
}

}  // namespace assay::inline v0
