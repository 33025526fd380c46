#include <algorithm>
#include <array>
#include <regex>
#include <string>

#include "structure/project.hpp"

using namespace assay::testing;

namespace {

/// What writes or reads a floating-point number by the locale, which any library may set for the whole process.
Violations locale_violations(const Tree& sources) {
  static const std::regex by_itself(R"(\b(strtod|strtof|strtold|stod|stof|stold|atof|setprecision|ostringstream)\b)");
  static const std::regex printed(R"(\bv?s?n?f?printf\()");
  static const std::regex conversion("%[-+#0]*[0-9*]*(\\.[0-9*]+)?L?[aAeEfFgG]");
  static const std::array<const char*, 6> words{
      "printf", "sto",          "strto",
      "atof",   "stringstream", "setprecision"};  // a regular expression for each line takes seconds
  Violations found;
  for (const auto& [source, text] : sources) {
    const auto refuse = [&found, &source = source, &text = text](std::size_t at, const std::string& what) {
      const auto line = 1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n');
      found.push_back(source + ":" + std::to_string(line) + " has " + what +
                      ", which depends on the locale: take printed_number and read_number of core/printed_number.hpp");
    };
    std::size_t start = 0;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line); start += line.size() + 1) {
      if (std::none_of(words.begin(), words.end(),
                       [&line](const char* word) { return line.find(word) != std::string::npos; }))
        continue;
      const std::string code = line.substr(0, line.find("//"));
      if (std::smatch match; std::regex_search(code, match, by_itself)) refuse(start, match[1]);
      if (!std::regex_search(code, printed)) continue;
      const std::string statement = text.substr(start, text.find(";\n", start) - start);
      if (std::smatch match; std::regex_search(statement, match, conversion))
        refuse(start, "a conversion '" + match.str() + "'");
    }
  }
  return found;
}

}  // namespace

TEST_CASE("no number of the library or the tool is written or read by the locale") {
  REQUIRE(project_headers().size() > 20);
  check_none(locale_violations(project_sources()));
  for (const char* extension : {".cpp", ".hpp"}) {
    const Tree tool = read_tree(source_directory() / "examples" / "assay", extension);
    REQUIRE(tool.size() > 5);
    check_none(locale_violations(tool));
  }
}

TEST_CASE("what depends on the locale is found") {
  CHECK(locale_violations({{"core/a.hpp", "std::snprintf(text, sizeof text,\n  \"%d of %.4g\", count, value);\n"}})
            .size() == 1);
  CHECK(locale_violations({{"core/a.hpp", "std::printf(\"%*.*f %% of %s\\n\", 6, 2, share, name);\n"}}).size() == 1);
  CHECK(locale_violations({{"core/a.hpp", "const double value = std::strtod(text, &end);\n"}}) ==
        Violations{"core/a.hpp:1 has strtod, which depends on the locale: take printed_number and read_number of "
                   "core/printed_number.hpp"});
  CHECK(
      locale_violations(
          {{"core/a.hpp",
            "/// As strtod reads it, or \"%g\" prints it.\nstd::printf(\"%d %% of %zu files, %llx\", 1, n, x);\n"}}) ==
      Violations{});
}
