#include "command_line.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <initializer_list>
#include <map>
#include <memory>
#include <optional>
#include <utility>

#include "assay/core/nearest_name.hpp"
#include "fault.hpp"
#include "option_use.hpp"
#include "options.hpp"

namespace assay_program {

namespace {

/// One reading of the arguments.
struct Reading {
  CLI::App app{program_description, "assay"};
  CommandLine line;
  OptionTexts texts;
  CLI::App* command = nullptr;

  Reading() { add_commands(app, line, texts); }
  Reading(const Reading&) = delete;
  Reading& operator=(const Reading&) = delete;
};

const std::map<std::string, Command>& commands() {
  static const std::map<std::string, Command> all{{"accuracy", Command::accuracy},
                                                  {"baseline", Command::baseline},
                                                  {"capacity", Command::capacity},
                                                  {"check", Command::check},
                                                  {"chips", Command::chips},
                                                  {"cluster", Command::cluster},
                                                  {"collectives", Command::collectives},
                                                  {"cost", Command::cost},
                                                  {"devices", Command::devices},
                                                  {"doctor", Command::doctor},
                                                  {"envelope", Command::envelope},
                                                  {"explain", Command::explain},
                                                  {"faults", Command::faults},
                                                  {"fleet", Command::fleet},
                                                  {"frameworks", Command::frameworks},
                                                  {"gate", Command::gate},
                                                  {"certify", Command::certify},
                                                  {"hardware", Command::hardware},
                                                  {"help", Command::help},
                                                  {"history", Command::history},
                                                  {"list", Command::list},
                                                  {"matrix", Command::matrix},
                                                  {"merge", Command::merge},
                                                  {"minimize", Command::minimize},
                                                  {"node", Command::node},
                                                  {"notebooks", Command::notebooks},
                                                  {"pipeline", Command::pipeline},
                                                  {"profile", Command::profile},
                                                  {"quantize-report", Command::quantize_report},
                                                  {"report", Command::report},
                                                  {"roofline", Command::roofline},
                                                  {"run", Command::run},
                                                  {"serve-bench", Command::serve_bench},
                                                  {"serve-check", Command::serve_check},
                                                  {"telemetry", Command::telemetry},
                                                  {"complete", Command::complete},
                                                  {"man", Command::man},
                                                  {"worker", Command::worker}};
  return all;
}

/// Of use to programs: help does not list them, and no settings file is theirs.
bool is_hidden(Command command) {
  return command == Command::worker || command == Command::complete || command == Command::man ||
         command == Command::devices;
}

std::vector<std::string> public_commands() {
  std::vector<std::string> names;
  for (const auto& [name, command] : commands())
    if (!is_hidden(command)) names.push_back(name);
  return names;
}

/// The option --key of a command; null if it has none.
CLI::Option* option_named(CLI::App& command, const std::string& key) {
  return command.get_option_no_throw("--" + key);
}

bool is_flag(const CLI::Option& option) {
  return option.get_items_expected_max() == 0;
}

/// CLI11's own words, but for names that it does not know: those come with the nearest.
std::string words_of(const CLI::ParseError& error, Reading& reading) {
  const auto parsed = reading.app.get_subcommands();
  CLI::App& command = parsed.empty() ? reading.app : *parsed.front();
  const std::vector<std::string> extras = command.remaining();
  const bool names_missing = dynamic_cast<const CLI::RequiredError*>(&error) != nullptr;  // perhaps since misspelled
  if (extras.empty() || (dynamic_cast<const CLI::ExtrasError*>(&error) == nullptr && !names_missing))
    return error.what();
  const std::string unknown = extras.front().substr(0, extras.front().find('='));
  if (unknown.empty() || unknown.front() != '-')
    return "'" + unknown + "' was not expected; names follow an option, such as --backend " + unknown;
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options())
    if (!option->get_lnames().empty()) names.push_back("--" + option->get_lnames().front());
  return assay::unknown_name("option", unknown, names);
}

/// What is wrong with the arguments, and the exit code; help that was asked for is printed, with 0.
struct Trouble {
  int exit_code = 2;
  std::string message;
};

/// An empty value, as of a shell's variable that is not set, would pass for an option that was not given.
std::optional<Trouble> empty_value(const CLI::App& command) {
  for (const CLI::Option* option : command.get_options())
    for (const std::string& value : option->results())
      if (value.empty())
        return Trouble{2, option->get_name() + " was given an empty value; give it one, or leave it out; see assay " +
                              command.get_name() + " --help"};
  return std::nullopt;
}

std::optional<Trouble> read(const std::vector<std::string>& arguments, Reading& reading) {
  std::vector<std::string> reversed(arguments.rbegin(), arguments.rend());
  try {
    reading.app.parse(std::move(reversed));
  } catch (const CLI::Success& help) {
    return Trouble{reading.app.exit(help), {}};
  } catch (const CLI::ParseError& error) {
    return Trouble{2, words_of(error, reading) + "; see assay --help"};
  }
  reading.command = reading.app.get_subcommands().front();
  if (auto trouble = empty_value(*reading.command)) return trouble;
  reading.line.command = commands().at(reading.command->get_name());
  if (const auto used = check_option_use(*reading.command); !used)
    return Trouble{2, used.error().message + "; see assay " + reading.command->get_name() + " --help"};
  if (const auto understood = interpret(reading.line, reading.texts); !understood)
    return Trouble{2, understood.error().message};
  return std::nullopt;
}

/// The option that a setting is for, or what is wrong with it.
assay::Result<CLI::Option*> option_of(const Setting& setting, Reading& reading, const std::string& file) {
  const auto refused = [&](const std::string& what) {
    return assay::failure(assay::ErrorKind::invalid, file + ":" + std::to_string(setting.line) + ": " + what);
  };
  std::vector<std::string> sections = public_commands();
  sections.erase(std::find(sections.begin(), sections.end(), "doctor"));
  if (std::find(sections.begin(), sections.end(), setting.section) == sections.end())
    return refused(assay::unknown_name("section", setting.section, sections));
  CLI::App& command = *reading.app.get_subcommand(setting.section);
  std::vector<std::string> keys;
  for (const CLI::Option* option : command.get_options())
    for (const std::string& name : option->get_lnames())
      if (name != "help" && name != "config" && name != "no-config") keys.push_back(name);
  std::sort(keys.begin(), keys.end());
  if (std::find(keys.begin(), keys.end(), setting.key) == keys.end())
    return refused(assay::unknown_name("key", setting.key, keys));
  CLI::Option* option = option_named(command, setting.key);
  if (is_flag(*option) && (setting.list || (setting.values.front() != "true" && setting.values.front() != "false")))
    return refused("'" + setting.key + "' is a switch; give true or false");
  if (setting.list && option->get_delimiter() != ',')
    return refused("'" + setting.key + "' takes one value, not a list");
  return option;
}

bool typed(Reading& reading, const std::string& key) {
  const CLI::Option* option = option_named(*reading.command, key);
  return option != nullptr && option->count() > 0;
}

/// Whether the command line speaks about what a setting says: the option itself, or one that cannot stand beside it.
bool overruled(Reading& reading, const Setting& setting) {
  const CommandLine& line = reading.line;
  const std::string& key = setting.key;
  const auto is_one_of = [&](std::initializer_list<const char*> keys) {
    return std::find(keys.begin(), keys.end(), key) != keys.end();
  };
  const auto any_typed = [&](std::initializer_list<const char*> keys) {
    return std::any_of(keys.begin(), keys.end(), [&](const char* other) { return typed(reading, other); });
  };
  if (typed(reading, key)) return true;
  if (is_one_of({"quiet", "verbose"})) return any_typed({"quiet", "verbose"});
  if (is_one_of({"isolate", "timeout", "memory"}) && (line.no_isolate || (typed(reading, "isolate") && !line.isolate)))
    return true;
  if (key == "no-isolate") return line.isolate && any_typed({"isolate", "timeout", "memory"});
  if (key == "require-determinism" && typed(reading, "repeat") && line.repetitions == 1) return true;
  if (key == "jobs" && !line.distributor.empty()) return true;
  if (key == "newest")
    return line.history.baseline.find_first_not_of("0123456789") != std::string::npos &&
           line.history.baseline.rfind("runs=", 0) != 0;
  if (key == "distribute" && line.jobs > 1) return true;
  if (key == "format" && line.command == Command::report && line.dashboard.asked()) return true;
  if (is_one_of({"tolerance", "a", "b"}) && line.relations) return true;
  if (key == "check" && setting.values.front() == "relations" &&
      (line.tolerance_text != "derived" || any_typed({"a", "b"})))
    return true;
  return !line.case_file.empty() &&
         is_one_of({"op",      "backend",   "dtype",  "shape",     "fill", "only", "exclude", "suite",
                    "shard",   "tolerance", "check",  "seed",      "a",    "b",    "repeat",  "require-determinism",
                    "isolate", "timeout",   "memory", "distribute"});
}

/// The settings for this command that the command line does not overrule, as options. What [run] says about tolerance,
/// seed and matrices holds for explain, too: it explains what run does.
assay::Result<std::vector<std::string>> configured_options(Reading& reading, const Configuration& configuration) {
  std::vector<std::string> options;
  const std::string command = reading.command->get_name();
  const auto in_force = [&](const Setting& setting) {
    if (setting.section == command) return true;
    if (command != "explain" || setting.section != "run" || option_named(*reading.command, setting.key) == nullptr)
      return false;
    const std::vector<std::string> which{"op",   "backend", "dtype", "shape", "fill",
                                         "only", "exclude", "suite", "shard"};  // what run chooses, explain does not
    if (std::find(which.begin(), which.end(), setting.key) != which.end()) return false;
    return std::none_of(configuration.settings.begin(), configuration.settings.end(),
                        [&](const Setting& other) { return other.section == command && other.key == setting.key; });
  };
  for (const Setting& setting : configuration.settings) {
    const auto option = option_of(setting, reading, configuration.file);
    if (!option) return option.propagate();
    if (!in_force(setting) || overruled(reading, setting)) continue;
    if (!uses(command, action_of(*reading.command), *option.value())) continue;  // it is another action's default
    if (is_flag(*option.value())) {
      if (setting.values.front() == "true") options.push_back("--" + setting.key);
    } else {
      for (const std::string& value : setting.values) options.push_back("--" + setting.key + "=" + value);
    }
  }
  return options;
}

/// Whether the values that a file sets for commands other than this one can be understood, too.
std::optional<Trouble> trouble_elsewhere(const Configuration& configuration) {
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"run"}, {"list", "cases"}, {"explain", "*"}}) {
    Reading reading;
    if (const auto trouble = read(arguments, reading)) return trouble;
    const auto configured = configured_options(reading, configuration);
    if (!configured) return Trouble{2, configured.error().message};
    std::vector<std::string> all = arguments;
    all.insert(all.end(), configured.value().begin(), configured.value().end());
    Reading again;
    if (const auto trouble = read(all, again)) return trouble;
    if (const auto agreed = check_agreement(again.line, again.texts); !agreed)
      return Trouble{2, agreed.error().message};
  }
  return std::nullopt;
}

/// The command line without what it says about settings files.
std::vector<std::string> without_settings(const std::vector<std::string>& arguments) {
  std::vector<std::string> kept;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i] == "--config")
      ++i;
    else if (arguments[i] != "--no-config" && arguments[i].rfind("--config=", 0) != 0)
      kept.push_back(arguments[i]);
  }
  return kept;
}

std::string command_text(const std::vector<std::string>& arguments) {
  std::string text = "assay";
  for (const std::string& argument : arguments) text += " " + shell_quoted(argument);
  return text;
}

/// Reads again with the settings file, if one is in force.
assay::Result<std::unique_ptr<Reading>> with_settings(std::unique_ptr<Reading> reading,
                                                      const std::vector<std::string>& arguments) {
  auto agreed = check_agreement(reading->line, reading->texts);
  if (reading->texts.no_config || is_hidden(reading->line.command)) {
    if (!agreed) return agreed.propagate();
    return reading;
  }
  auto found = find_configuration(reading->texts.config);
  if (!found) return found.propagate();
  if (!found.value()) {
    if (!agreed) return agreed.propagate();
    return reading;
  }
  const Configuration& configuration = *found.value();
  const auto configured = configured_options(*reading, configuration);
  if (!configured) return configured.propagate();
  if (reading->line.command == Command::doctor)
    if (const auto trouble = trouble_elsewhere(configuration))
      return assay::failure(assay::ErrorKind::invalid, configuration.file + ": " + trouble->message);
  auto again = std::make_unique<Reading>();
  std::vector<std::string> all = arguments;
  all.insert(all.end(), configured.value().begin(), configured.value().end());
  if (const auto trouble = read(all, *again))
    return assay::failure(assay::ErrorKind::invalid, configuration.file + ": " + trouble->message);
  const auto agreed_again = check_agreement(again->line, again->texts);
  if (!agreed_again) {
    const bool from_file = agreed || agreed.error().message != agreed_again.error().message;
    return assay::failure(assay::ErrorKind::invalid,
                          (from_file ? configuration.file + ": " : "") + agreed_again.error().message);
  }
  again->line.configuration = configuration;
  again->line.configured = configured.value();
  if (!configured.value().empty()) {
    std::vector<std::string> spelled_out = without_settings(arguments);
    spelled_out.insert(spelled_out.begin() + 1, "--no-config");
    spelled_out.insert(spelled_out.end(), configured.value().begin(), configured.value().end());
    again->line.text = command_text(spelled_out);
  }
  return again;
}

}  // namespace

std::string shell_quoted(std::string_view argument) {
  const bool plain =
      !argument.empty() &&
      argument.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./=,:+%@") ==
          std::string_view::npos;
  if (plain) return std::string(argument);
  std::string text = "'";
  for (const char character : argument) text += character == '\'' ? std::string("'\\''") : std::string(1, character);
  return text + "'";
}

std::variant<CommandLine, int> parse_command_line(int count, const char* const* arguments) {
  const std::vector<std::string> typed_arguments(arguments + std::min(count, 1), arguments + count);
  if (!typed_arguments.empty() && typed_arguments.front().rfind('-', 0) != 0 &&
      commands().count(typed_arguments.front()) == 0)
    return fault(assay::unknown_name("command", typed_arguments.front(), public_commands()) + "; see assay --help");
  auto reading = std::make_unique<Reading>();
  if (const auto trouble = read(typed_arguments, *reading))
    return trouble->message.empty() ? trouble->exit_code : fault(trouble->message);
  reading->line.text = command_text(typed_arguments);
  auto complete = with_settings(std::move(reading), typed_arguments);
  if (!complete) return fault(complete.error().message);
  Reading& final_reading = *complete.value();
  final_reading.line.program = count > 0 ? arguments[0] : "assay";
  if (final_reading.line.text.empty()) final_reading.line.text = command_text(typed_arguments);
  return std::move(final_reading.line);
}

}  // namespace assay_program
