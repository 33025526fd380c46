#include "help_topics.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <vector>

#include "assay/core/nearest_name.hpp"
#include "fault.hpp"
#include "options.hpp"

namespace assay_program {

int help_topic(const std::string& name) {
  if (name.empty()) {
    std::printf("Topics, each by assay help TOPIC; of a command, assay help COMMAND has the options:\n\n");
    for (const HelpTopic& topic : help_topics)
      std::printf("  %-13s%s\n", std::string(topic.name).c_str(), std::string(topic.gist).c_str());
    return 0;
  }
  std::vector<std::string> known;
  for (const HelpTopic& topic : help_topics) {
    known.emplace_back(topic.name);
    if (topic.name != name) continue;
    std::printf("%s: %s\n\n%s\n", name.c_str(), std::string(topic.gist).c_str(), std::string(topic.text).c_str());
    return 0;
  }
  CommandLine line;
  OptionTexts texts;
  CLI::App app{program_description, "assay"};
  add_commands(app, line, texts);
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    if (command->get_group().empty()) continue;
    if (command->get_name() == name) {
      std::printf("%s", command->help("assay").c_str());
      return 0;
    }
    if (std::find(known.begin(), known.end(), command->get_name()) == known.end()) known.push_back(command->get_name());
  }
  return fault(assay::unknown_name("topic", name, known) + "; assay help lists the topics");
}

}  // namespace assay_program
