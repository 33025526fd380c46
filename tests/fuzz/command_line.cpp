#include "command_line.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include "fuzz/fuzz.hpp"
#include "settings_file.hpp"

namespace {

using namespace assay;
using namespace assay_program;

/// A settings file in memory, which the parser is told of by the environment.
class Settings {
 public:
  Settings() : file_(::memfd_create("assay.toml", 0)) {
    ::setenv("ASSAY_CONFIG", ("/proc/self/fd/" + std::to_string(file_)).c_str(), 1);
    ::unsetenv("NO_COLOR");
  }
  void write(std::string_view text) const {
    fuzz::promise(
        ::ftruncate(file_, 0) == 0 && ::pwrite(file_, text.data(), text.size(), 0) == static_cast<ssize_t>(text.size()),
        "settings can be written");
  }

 private:
  int file_;
};

/// The words of a line as a POSIX shell parts them, of which `shell_quoted` makes no other use than of '…' and \'.
std::vector<std::string> shell_words(const std::string& line) {
  std::vector<std::string> words{""};
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '\'')
      quoted = !quoted;
    else if (!quoted && line[i] == ' ')
      words.emplace_back();
    else if (!quoted && line[i] == '\\')
      words.back() += line[++i];
    else
      words.back() += line[i];
  }
  return words;
}

std::variant<CommandLine, int> parse(const std::vector<std::string>& words) {
  std::vector<const char*> arguments;
  for (const std::string& word : words) arguments.push_back(word.c_str());
  return parse_command_line(static_cast<int>(arguments.size()), arguments.data());
}

/// Arguments, one a line; behind a line "---" the settings file. Nothing runs. What the tool says would do the same
/// without the settings file does the same.
void command_line(std::string_view text) {
  static const Settings file;
  if (text.size() > 4096 || text.find('\0') != text.npos || text.find("--config") != text.npos) return;
  const std::size_t middle = text.find("---\n");
  const std::string_view settings = middle == text.npos ? std::string_view() : text.substr(middle + 4);
  file.write(settings);
  if (const auto read = read_settings(settings, "assay.toml"); !read) fuzz::promise_message(read.error().message);
  std::vector<std::string> words{"assay"};
  for (std::string_view rest = text.substr(0, middle); !rest.empty();) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    words.emplace_back(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  const auto parsed = parse(words);
  if (const int* code = std::get_if<int>(&parsed))
    return fuzz::promise(*code == 0 || *code == 2, "0 for help, 2 for a fault");
  const CommandLine& line = std::get<CommandLine>(parsed);
  file.write("");
  const auto parsed_again = parse(shell_words(line.text));
  fuzz::promise(std::holds_alternative<CommandLine>(parsed_again),
                "the command that is said to do the same can be read");
  const CommandLine& again = std::get<CommandLine>(parsed_again);
  fuzz::promise(again.text == line.text && again.command == line.command, "it is the same command");
  fuzz::promise(again.seed == line.seed && again.repetitions == line.repetitions &&
                    again.tolerance_text == line.tolerance_text &&
                    again.selection.operations == line.selection.operations &&
                    again.selection.only == line.selection.only && again.timeout_seconds == line.timeout_seconds &&
                    again.isolate == line.isolate && again.formats == line.formats &&
                    again.verbosity == line.verbosity && again.output_folder == line.output_folder,
                "it means the same");
}

const fuzz::Registration registration_of_command_line("command_line", command_line);

}  // namespace

namespace assay_program {

// In the place of examples/assay/report_format.cpp, which brings all writers of reports: the parser asks for their
// names alone.
const std::vector<ReportFormat>& report_formats() {
  static const std::vector<ReportFormat> all{{"json", "", "", nullptr},     {"html", "", "", nullptr},
                                             {"junit", "", "", nullptr},    {"sarif", "", "", nullptr},
                                             {"markdown", "", "", nullptr}, {"ocp", "", "", nullptr}};
  return all;
}

Result<std::vector<const ReportFormat*>> report_formats_named(const std::vector<std::string>& names) {
  std::vector<const ReportFormat*> named;
  for (const std::string& name : names)
    for (const ReportFormat& format : report_formats())
      if (format.name == name) named.push_back(&format);
  if (named.size() < names.size()) return failure(ErrorKind::not_found, "a format is unknown");
  return named;
}

}  // namespace assay_program
