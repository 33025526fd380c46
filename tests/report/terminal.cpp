#include "assay/report/terminal.hpp"

#include <string>

#include "testing/catch.hpp"

#if __has_include(<fcntl.h>) && __has_include(<stdlib.h>) && __has_include(<sys/ioctl.h>)
#include <fcntl.h>
#include <stdlib.h>

using namespace assay;

namespace {

/// A variable of the environment for the time of a test.
class Variable {
 public:
  Variable(const char* name, const char* value) : name_(name) {
    if (const char* old = std::getenv(name)) old_ = old, was_set_ = true;
    value == nullptr ? ::unsetenv(name) : ::setenv(name, value, 1);
  }
  ~Variable() { was_set_ ? ::setenv(name_.c_str(), old_.c_str(), 1) : ::unsetenv(name_.c_str()); }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;

 private:
  std::string name_, old_;
  bool was_set_ = false;
};

/// The terminal's end of a new pseudo-terminal, 123 columns wide.
class PseudoTerminal {
 public:
  PseudoTerminal() : master_(::posix_openpt(O_RDWR | O_NOCTTY)) {
    REQUIRE(master_ >= 0);
    REQUIRE(::grantpt(master_) == 0);
    REQUIRE(::unlockpt(master_) == 0);
    stream = std::fopen(::ptsname(master_), "r+");
    REQUIRE(stream != nullptr);
    winsize size{};
    size.ws_col = 123;
    REQUIRE(::ioctl(master_, TIOCSWINSZ, &size) == 0);
  }
  ~PseudoTerminal() {
    std::fclose(stream);
    ::close(master_);
  }
  PseudoTerminal(const PseudoTerminal&) = delete;
  PseudoTerminal& operator=(const PseudoTerminal&) = delete;
  std::FILE* stream = nullptr;

 private:
  int master_;
};

}  // namespace

TEST_CASE("a terminal rewrites lines and shows colors, unless its kind or its user says no") {
  const PseudoTerminal terminal;
  const Variable kind("TERM", "xterm");
  const Variable refused("NO_COLOR", nullptr);
  CHECK(can_rewrite_lines(terminal.stream));
  CHECK(colors_welcome(terminal.stream));
  CHECK(terminal_columns(terminal.stream) == 123);
  SECTION("a dumb one") {
    const Variable dumb("TERM", "dumb");
    CHECK_FALSE(can_rewrite_lines(terminal.stream));
    CHECK_FALSE(colors_welcome(terminal.stream));
  }
  SECTION("an unknown one") {
    const Variable unknown("TERM", nullptr);
    CHECK_FALSE(can_rewrite_lines(terminal.stream));
  }
  SECTION("NO_COLOR") {
    const Variable no_color("NO_COLOR", "1");
    CHECK(can_rewrite_lines(terminal.stream));
    CHECK_FALSE(colors_welcome(terminal.stream));
  }
  SECTION("NO_COLOR that is empty says nothing") {
    const Variable no_color("NO_COLOR", "");
    CHECK(colors_welcome(terminal.stream));
  }
}

TEST_CASE("a file is no terminal") {
  std::FILE* file = std::tmpfile();
  REQUIRE(file != nullptr);
  CHECK_FALSE(can_rewrite_lines(file));
  CHECK_FALSE(colors_welcome(file));
  CHECK(terminal_columns(file) == 80);
  std::fclose(file);
}

#endif
