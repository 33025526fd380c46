#include "described_command.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <map>

#include "help_topics.hpp"

namespace assay_program {

namespace {

bool contains_any(const std::string& text, const std::vector<std::string>& parts) {
  return std::any_of(parts.begin(), parts.end(),
                     [&](const std::string& part) { return text.find(part) != std::string::npos; });
}

/// A value's name in capitals stands for what the user puts there; in small letters it is typed as it is.
std::vector<std::string> choices_of(const std::string& value) {
  std::vector<std::string> choices;
  for (std::size_t begin = 0; begin < value.size();) {
    const std::size_t end = std::min(value.find_first_of("|[", begin), value.size());
    const std::string word = value.substr(begin, end - begin);
    if (!word.empty() && word.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_-") == std::string::npos)
      choices.push_back(word);
    if (end < value.size() && value[end] == '[') break;
    begin = end + 1;
  }
  return choices;
}

/// Names that only this machine knows: the tool is asked for them while the user types.
std::string listed_by(const std::string& command, const std::string& option) {
  static const std::map<std::string, std::string> lists{
      {"--op", "ops"}, {"--backend", "backends"}, {"--dtype", "formats"}, {"--shape", "shapes"}, {"--fill", "fills"}};
  const auto found = lists.find(option);
  const bool other_operations = option == "--op" && (command == "collectives" || command == "profile");
  return found == lists.end() || other_operations ? std::string() : found->second;
}

DescribedOption describe(const std::string& command, const CLI::Option& option) {
  DescribedOption described;
  if (option.get_positional()) {
    described.names.push_back(option.get_name(true));
  } else {
    for (const std::string& name : option.get_lnames()) described.names.push_back("--" + name);
    for (const std::string& name : option.get_snames()) described.names.push_back("-" + name);
  }
  if (option.get_items_expected_max() > 0) described.value = option.get_type_name();
  described.text = option.get_description();
  described.group = option.get_group();
  described.required = option.get_required();
  described.choices = choices_of(described.value);
  if (command == "help" && option.get_positional())
    for (const HelpTopic& topic : help_topics) described.choices.emplace_back(topic.name);
  described.listed_by = listed_by(command, described.names.front());
  described.files =
      contains_any(described.value, {"FILE", "DIR", ".json", ".npy", ".html", "HISTORY", "STORE", "RESULTS"}) &&
      described.listed_by.empty();
  described.list = described.value.find("[,") != std::string::npos;
  return described;
}

DescribedCommand describe(const CLI::App& app) {
  DescribedCommand command{app.get_name(), app.get_description(), app.get_footer(), {}};
  for (const CLI::Option* option : app.get_options())
    if (!option->get_group().empty()) command.options.push_back(describe(command.name, *option));
  return command;
}

}  // namespace

std::vector<DescribedCommand> describe_commands(const CLI::App& app) {
  std::vector<DescribedCommand> commands{describe(app)};
  for (const CLI::App* command : app.get_subcommands([](const CLI::App* one) { return !one->get_group().empty(); }))
    commands.push_back(describe(*command));
  return commands;
}

}  // namespace assay_program
