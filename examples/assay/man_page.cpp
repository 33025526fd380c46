// The manual page, from what the commands say of themselves: assay man > assay.1
#include <CLI/CLI.hpp>
#include <cstdio>

#include "assay/core/version.hpp"
#include "commands.hpp"
#include "described_command.hpp"
#include "help_topics.hpp"
#include "options.hpp"

namespace assay_program {

namespace {

/// Text for troff: backslashes and dashes as they are, other than ASCII by number, no line that begins as a request
/// does.
std::string roff(const std::string& text) {
  std::string escaped;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const auto byte = static_cast<unsigned char>(text[at]);
    if (byte == '\\') {
      escaped += "\\e";
    } else if (byte == '-') {
      escaped += "\\-";
    } else if (byte == '\'') {
      escaped += "\\(aq";
    } else if (byte == '^' || byte == '~' || byte == '`') {  // which are accents there
      escaped += byte == '^' ? "\\(ha" : byte == '~' ? "\\(ti" : "\\(ga";
    } else if (byte == '.' && (escaped.empty() || escaped.back() == '\n')) {
      escaped += "\\&.";
    } else if (byte < 0x80) {
      escaped += text[at];
    } else {
      unsigned code = byte & (byte >= 0xf0 ? 0x07u : byte >= 0xe0 ? 0x0fu : 0x1fu);
      while (at + 1 < text.size() && (static_cast<unsigned char>(text[at + 1]) & 0xc0u) == 0x80u)
        code = code << 6 | (static_cast<unsigned char>(text[++at]) & 0x3fu);
      char number[16];
      std::snprintf(number, sizeof number, "\\[u%04X]", code);
      escaped += number;
    }
  }
  return escaped;
}

/// Examples keep their lines, all else flows.
std::string footer(const std::string& text) {
  std::string page;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find("\n\n", begin), text.size());
    const std::string paragraph = text.substr(begin, end - begin);
    const std::size_t line = paragraph.find('\n');
    if (paragraph.rfind("Examples:", 0) == 0 && line != std::string::npos)
      page += ".PP\nExamples:\n.PP\n.nf\n" + roff(paragraph.substr(line + 1)) + "\n.fi\n";
    else
      page += ".PP\n" + roff(paragraph) + "\n";
    begin = end + 2;
  }
  return page;
}

std::string synopsis(const DescribedCommand& command) {
  std::string page = ".B assay " + roff(command.name) + "\n[\\fIoptions\\fR]";
  for (const DescribedOption& option : command.options) {
    if (!option.positional()) continue;
    const std::string name = roff(option.choices.empty() ? option.names.front() : option.value);
    page += option.required ? " \\fI" + name + "\\fR" : " [\\fI" + name + "\\fR]";
  }
  return page + "\n";
}

std::string option_entry(const DescribedOption& option) {
  std::string names;
  for (const std::string& name : option.names)
    names += (names.empty() ? "" : ", ") + ((option.positional() ? "\\fI" : "\\fB") + roff(name)) + "\\fR";
  const std::string value = option.positional() || option.value.empty() ? "" : " \\fI" + roff(option.value) + "\\fR";
  return ".TP\n" + names + value + "\n" + roff(option.text) + "\n";
}

std::string command_section(const DescribedCommand& command) {
  std::string page =
      ".SS \"assay " + roff(command.name) + "\"\n" + synopsis(command) + ".PP\n" + roff(command.text) + "\n";
  std::string group;
  for (const DescribedOption& option : command.options) {
    if (option.names.front() == "--help") continue;
    if (!option.positional() && option.group != group && option.group != "Options")
      page += ".PP\n.I " + roff(option.group) + "\n";
    group = option.group;
    page += option_entry(option);
  }
  return page + footer(command.footer);
}

/// Topics keep their lines, which fit a terminal.
std::string topic_section(const HelpTopic& topic) {
  return ".SS \"" + roff(std::string(topic.name)) + ": " + roff(std::string(topic.gist)) + "\"\n.nf\n" +
         roff(std::string(topic.text)) + "\n.fi\n";
}

}  // namespace

int man_page() {
  CommandLine line;
  OptionTexts texts;
  CLI::App app{program_description, "assay"};
  add_commands(app, line, texts);
  const std::vector<DescribedCommand> commands = describe_commands(app);
  std::string page = ".TH ASSAY 1 \"\" \"Assay " + roff(assay::version) + "\" \"User Commands\"\n";
  page += ".SH NAME\nassay \\- validates the kernels of accelerators, runtimes and libraries\n";
  page +=
      ".SH SYNOPSIS\n.B assay\n\\fIcommand\\fR [\\fIoptions\\fR]\n.br\n.B assay\n\\fIcommand\\fR \\fB\\-\\-help\\fR\n";
  page += ".SH DESCRIPTION\n" + roff(commands.front().text) + "\n" +
          "Operands are filled, kernels run, and every element of their outputs is held against a reference and the "
          "error that a correct "
          "kernel may make. Nothing that was not computed is a pass.\n";
  page += footer(commands.front().footer);
  page += ".SH COMMANDS\n";
  for (auto command = commands.begin() + 1; command != commands.end(); ++command)
    page += ".TP\n.B " + roff(command->name) + "\n" + roff(command->text) + "\n";
  page += ".SH OPTIONS\n";
  for (auto command = commands.begin() + 1; command != commands.end(); ++command) page += command_section(*command);
  page += ".SH TOPICS\nThe same by \\fBassay help\\fR \\fITOPIC\\fR.\n";
  for (const HelpTopic& topic : help_topics) page += topic_section(topic);
  page +=
      ".SH ENVIRONMENT\n"
      ".TP\n.B ASSAY_CONFIG\nthe settings file, where \\fB\\-\\-config\\fR names none\n"
      ".TP\n.B ASSAY_INSTRUCTION_SET\n\\fIbaseline\\fR or \\fIavx2\\fR: the most that references and comparisons use\n"
      ".TP\n.B NO_COLOR\nif it is set, terminals get no colors\n";
  page +=
      ".SH FILES\n.TP\n.B assay.toml\nthe defaults of a team: the nearest in the working directory or above it, up to "
      "the root of the "
      "repository. Sections are commands, keys their long options.\n";
  page += ".SH SEE ALSO\nThe guide, examples/README.md of the sources.\n";
  std::fputs(page.c_str(), stdout);
  return std::fflush(stdout) == 0 ? 0 : 2;
}

}  // namespace assay_program
