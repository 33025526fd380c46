#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace assay_program {

/// An option, or a positional argument, as its declaration tells it.
struct DescribedOption {
  std::vector<std::string> names;    ///< "--shard", "-n"; of a positional argument its one name, without dashes
  std::string value;                 ///< "i/n|from-env"; empty: a switch
  std::string text;                  ///< one line
  std::string group;                 ///< the heading under which help shows it
  std::vector<std::string> choices;  ///< the words of `value` that can be typed as they are
  std::string listed_by;             ///< what `assay list` names its values; empty: it does not
  bool required = false;
  bool files = false;  ///< its value can be the name of a file or a folder
  bool list = false;   ///< commas separate values

  [[nodiscard]] bool positional() const { return names.front().front() != '-'; }
};

/// A command of the tool, or the tool itself.
struct DescribedCommand {
  std::string name;
  std::string text;
  std::string footer;  ///< examples and exit codes, as help prints them
  std::vector<DescribedOption> options;
};

/// The tool, and then its commands in the order in which help lists them; hidden ones are left out. All that is told by
/// manual page and completions comes from here, so that neither can say what the tool does not do.
[[nodiscard]] std::vector<DescribedCommand> describe_commands(const CLI::App& app);

}  // namespace assay_program
