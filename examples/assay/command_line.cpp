#include "command_line.hpp"

#include <CLI/CLI.hpp>
#include <charconv>
#include <cstdio>
#include <limits>
#include <string_view>
#include <system_error>
#include <vector>

#include "assay/core/nearest_name.hpp"
#include "assay/core/version.hpp"

namespace assay_program {

namespace {

/// The options as text, before they are checked.
struct Texts {
  std::string suite = "default";
  std::string shard = "1/1";
  std::string seed = "1";
  std::string repeat = "1";
  std::string jobs = "1";
};

int fault(const std::string& message) {
  std::fprintf(stderr, "assay: %s\n", message.c_str());
  return 2;
}

/// A CLI11 list: every use of the option takes one argument, in which commas separate entries.
void add_list(CLI::App& app, const std::string& name, std::vector<std::string>& list, const std::string& help) {
  app.add_option(name, list, help)->delimiter(',')->allow_extra_args(false)->type_name("NAME[,NAME…]");
}

void add_selection(CLI::App& app, CommandLine& line, Texts& texts) {
  add_list(app, "--op", line.selection.operations, "operations");
  add_list(app, "--backend", line.selection.backends, "backends: libraries whose kernels are tested");
  add_list(app, "--dtype", line.selection.formats, "formats: of an input (bf16), or a combination (bf16.f32.bf16: inputs, accumulator, output)");
  add_list(app, "--shape", line.selection.shapes, "shapes, as in ids");
  add_list(app, "--fill", line.selection.data, "patterns of data");
  add_list(app, "--only", line.selection.only, "cases by id, or by glob with * and ?");
  add_list(app, "--exclude", line.selection.exclude, "cases left out, by id or glob");
  app.add_option("--suite", texts.suite, "default, or large: with the cases that take long")->type_name("default|large");
  app.add_option("--shard", texts.shard, "part i of n of the cases selected; the parts are disjoint and together whole")->type_name("i/n");
}

void add_run(CLI::App& app, CommandLine& line, Texts& texts) {
  app.add_option("--seed", texts.seed, "seed of the run, from which each case derives its own (1)")->type_name("N");
  app.add_option("--repeat", texts.repeat, "how often each kernel runs; differences between the runs are told (1)")->type_name("N");
  app.add_flag("--require-conclusive", line.require_conclusive, "exit with 1 where a case decided nothing");
  app.add_flag("--require-determinism", line.require_determinism, "with --repeat: fail where runs differ in any bit");
  app.add_option("--tolerance", line.tolerance_text, "derived from operation, data and formats; or a fixed rule (derived)")
      ->type_name("derived|exact|strict|normal|relaxed|ulps=N|atol=X,rtol=Y");
  app.add_option("--jobs", texts.jobs, "cases that run at the same time; above 1, kernel times mean nothing (1)")->type_name("N");
  CLI::Option* a = app.add_option("--a", line.matrix_a, "C = A·B on matrices of your own, row-major npy files")->type_name("A.npy");
  CLI::Option* b = app.add_option("--b", line.matrix_b, "the other matrix")->type_name("B.npy");
  a->needs(b);
  b->needs(a);
  app.add_option("--out", line.output_folder, "write report.json and report.html there")->type_name("DIR");
  CLI::Option* quiet = app.add_flag_callback("--quiet", [&] { line.verbosity = assay::Verbosity::quiet; }, "only what failed, and the closing line");
  app.add_flag_callback("--verbose", [&] { line.verbosity = assay::Verbosity::verbose; }, "a line for every case; how tolerances came about")
      ->excludes(quiet);
}

/// Reads a whole number of at least `least`. The message on failure is complete.
template <class Number>
assay::Result<void> read_number(const char* option, const std::string& text, Number least, Number& number) {
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (code == std::errc() && end == text.data() + text.size() && number >= least) return {};
  return assay::failure(assay::ErrorKind::invalid, std::string(option) + " is '" + text + "'; give a whole number from " + std::to_string(least) + " to " +
                                                       std::to_string(std::numeric_limits<Number>::max()));
}

assay::Result<void> interpret(CommandLine& line, const Texts& texts) {
  if (texts.suite != "default" && texts.suite != "large")
    return assay::failure(assay::ErrorKind::not_found, assay::unknown_name("suite", texts.suite, {"default", "large"}));
  line.selection.include_large = texts.suite == "large";
  const auto shard = assay::parse_shard(texts.shard);
  if (!shard) return shard.propagate();
  line.selection.shard = shard.value();
  const auto tolerance = assay::tolerance_named(line.tolerance_text);
  if (!tolerance) return tolerance.propagate();
  line.tolerance = tolerance.value();
  if (auto read = read_number<std::uint64_t>("--seed", texts.seed, 0, line.seed); !read) return read;
  if (auto read = read_number<unsigned>("--repeat", texts.repeat, 1, line.repetitions); !read) return read;
  if (auto read = read_number<unsigned>("--jobs", texts.jobs, 1, line.jobs); !read) return read;
  if (line.require_determinism && line.repetitions == 1)
    return assay::failure(assay::ErrorKind::invalid, "--require-determinism compares runs, and --repeat is 1; give --repeat 2 or more");
  return {};
}

/// CLI11's own words, but for names that it does not know: those come with the nearest.
std::string explain(const CLI::ParseError& error, const CLI::App& app) {
  const CLI::App* command = app.get_subcommands().empty() ? &app : app.get_subcommands().front();
  const std::vector<std::string> extras = command->remaining();
  if (dynamic_cast<const CLI::ExtrasError*>(&error) == nullptr || extras.empty()) return error.what();
  const std::string unknown = extras.front().substr(0, extras.front().find('='));
  if (unknown.front() != '-') return "'" + unknown + "' was not expected; names follow an option, such as --backend " + unknown;
  std::vector<std::string> names;
  for (const CLI::Option* option : command->get_options()) names.push_back(option->get_name(false, true));
  return assay::unknown_name("option", unknown, names);
}

}  // namespace

std::string shell_quoted(std::string_view argument) {
  const bool plain = !argument.empty() && argument.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./=,:+%@") ==
                                              std::string_view::npos;
  if (plain) return std::string(argument);
  std::string text = "'";
  for (const char character : argument) text += character == '\'' ? std::string("'\\''") : std::string(1, character);
  return text + "'";
}

std::variant<CommandLine, int> parse_command_line(int count, const char* const* arguments) {
  CommandLine line;
  Texts texts;
  for (int i = 0; i < count; ++i) line.text += (i == 0 ? "assay" : " " + shell_quoted(arguments[i]));

  CLI::App app("Assay validates the kernels of accelerators, runtimes and libraries.", "assay");
  app.set_version_flag("--version", assay::version);
  app.set_help_flag("--help,-h", "print this help");
  app.require_subcommand(1);
  app.footer("Exit code: 0 all passed, 1 something failed, 2 usage or environment.");
  CLI::App* doctor = app.add_subcommand("doctor", "what is here, what is missing, and how to get it");
  CLI::App* list = app.add_subcommand("list", "names: of ops, backends, formats, shapes, fills or cases");
  CLI::App* run = app.add_subcommand("run", "validate kernels and report");
  list->add_option("what", line.listed, "ops, backends, formats, shapes, fills or cases")->required();
  add_selection(*list, line, texts);
  add_selection(*run, line, texts);
  add_run(*run, line, texts);

  if (count > 1 && arguments[1][0] != '-') {
    const std::vector<std::string> commands{"doctor", "list", "run"};
    if (std::find(commands.begin(), commands.end(), arguments[1]) == commands.end())
      return fault(assay::unknown_name("command", arguments[1], commands) + "; see assay --help");
  }
  try {
    app.parse(count, arguments);
  } catch (const CLI::Success& help) {
    return app.exit(help);
  } catch (const CLI::ParseError& error) {
    return fault(explain(error, app) + "; see assay --help");
  }
  line.command = doctor->parsed() ? Command::doctor : list->parsed() ? Command::list : Command::run;
  if (const auto understood = interpret(line, texts); !understood) return fault(understood.error().message);
  return line;
}

}  // namespace assay_program
