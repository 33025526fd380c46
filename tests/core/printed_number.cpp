#include "assay/core/printed_number.hpp"

#include <array>
#include <catch2/catch.hpp>
#include <cfloat>
#include <clocale>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <string>

#include "testing/temporary_folder.hpp"

using namespace assay;

namespace {

std::string by_printf(const char* format, int precision, double value) {
  std::array<char, 512> text{};
  std::snprintf(text.data(), text.size(), format, precision, value);
  return text.data();
}

/// Makes a German locale, in a folder of its own, this process' one; null where localedef or its sources are missing.
const char* set_made_locale() {
  const testing::TemporaryFolder folder;
  const std::string command = "localedef -i de_DE -f UTF-8 '" + folder.at("de_DE.UTF-8") + "' >/dev/null 2>&1";
  if (std::system(command.c_str()) != 0) return nullptr;
  setenv("LOCPATH", folder.path.c_str(), 1);
  const char* const made = std::setlocale(LC_ALL, "de_DE.UTF-8");  // newlocale leaks a copy of LOCPATH (glibc 2.36)
  unsetenv("LOCPATH");
  return made;
}

}  // namespace

TEST_CASE("numbers are printed as printf prints them where a decimal point is a point") {
  const double infinity = std::numeric_limits<double>::infinity();
  for (const double value :
       {0.0, -0.0, 0.1, -2.5, 100000.0, 1234567.0, 1e-5, 9.9999996e-5, DBL_MAX, -DBL_MAX, 5e-324, infinity, -infinity})
    for (const int precision : {0, 1, 4, 6, 17}) {
      INFO(value << " with " << precision);
      CHECK(detail::printed_number(value, precision) == by_printf("%.*g", precision, value));
      CHECK(detail::printed_number(value, precision, std::chars_format::fixed) == by_printf("%.*f", precision, value));
      CHECK(detail::printed_number(value, precision, std::chars_format::scientific) ==
            by_printf("%.*e", precision, value));
    }
  CHECK(detail::printed_number(1e-10) == "1e-10");
}

TEST_CASE("a number is read where the whole text is one") {
  CHECK(detail::read_number("0.5") == 0.5);
  CHECK(detail::read_number("-1e-3") == -1e-3);
  CHECK(detail::read_number("5e-324") == 5e-324);
  CHECK(std::isnan(detail::read_number("nan").value()));
  for (const char* text : {"", ".", "0,5", "0.5 ", " 0.5", "0.5x", "1e999", "half"})
    CHECK_FALSE(detail::read_number(text));
  for (const double value : {0.1, DBL_MAX, 5e-324})
    CHECK(detail::read_number(detail::printed_number(value, 17)) == value);
}

TEST_CASE("a locale with decimal commas changes nothing") {
  const char* commas = nullptr;
  for (const char* name : {"de_DE.UTF-8", "de_DE.utf8", "de_DE", "fr_FR.utf8", "nl_NL.utf8", "ru_RU.utf8"})
    if (commas == nullptr) commas = std::setlocale(LC_ALL, name);
  if (commas == nullptr) commas = set_made_locale();
  if (commas == nullptr) {
    WARN(
        "skipped: no locale with decimal commas is installed, and localedef makes none; test_structure looks at the "
        "sources");
    return;
  }
  const std::string by_locale = by_printf("%.*g", 2, 0.5), text = detail::printed_number(0.5, 2);
  const auto read = detail::read_number("0.5");
  std::setlocale(LC_ALL, "C");
  CHECK(by_locale == "0,5");
  CHECK(text == "0.5");
  CHECK(read == 0.5);
}
