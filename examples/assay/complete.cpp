// Completions for shells, from what the commands say of themselves: eval "$(assay complete bash)"
#include <CLI/CLI.hpp>
#include <cstdio>

#include "assay/core/nearest_name.hpp"
#include "commands.hpp"
#include "described_command.hpp"
#include "fault.hpp"
#include "options.hpp"

namespace assay_program {

namespace {

using Commands = std::vector<DescribedCommand>;

std::string joined(const std::vector<std::string>& words, const char* between = " ") {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : between) + word;
  return text;
}

/// Up to the first of a few marks that end the gist of a line; without what a shell's quotes would mind.
std::string gist(const std::string& text) {
  std::string kept;
  for (const char character : text.substr(0, std::min(text.find_first_of(";("), text.size())))
    if (std::string("'\"`$\\[]").find(character) == std::string::npos) kept += character;
  while (!kept.empty() && kept.back() == ' ') kept.pop_back();
  return kept;
}

std::vector<const DescribedOption*> positionals(const DescribedCommand& command) {
  std::vector<const DescribedOption*> found;
  for (const DescribedOption& option : command.options)
    if (option.positional()) found.push_back(&option);
  return found;
}

/// The commands but for the tool itself.
Commands named(const Commands& commands) {
  return {commands.begin() + 1, commands.end()};
}

constexpr const char* bash_frame = R"(# Completions of assay for bash, made by: assay complete bash

_assay_names() {
  if [ "$1" = formats ]; then "${COMP_WORDS[0]}" list formats --no-config 2>/dev/null | sed -n '3,$s/ .*//p'
  else "${COMP_WORDS[0]}" list "$1" --no-config 2>/dev/null; fi
}

# _assay_words WORDS [LIST]: those that begin as what is typed; in a list, as what stands after the last comma.
_assay_words() {
  local before= part=$cur
  if [ -n "$2" ] && [[ $cur == *,* ]]; then before=${cur%,*}, part=${cur##*,}; fi
  COMPREPLY=($(compgen -P "$before" -W "$1" -- "$part"))
  [ -z "$2" ] || compopt -o nospace 2>/dev/null
}

_assay() {
  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} command= word place=0 i
  COMPREPLY=()
  if [ "$cur" = = ]; then cur=
  elif [ "$prev" = = ]; then prev=${COMP_WORDS[COMP_CWORD-2]}; fi
  for ((i = 1; i < COMP_CWORD; ++i)); do
    word=${COMP_WORDS[i]}
    case $word in
      -*|=) ;;
      *) if [ -z "$command" ]; then command=$word
         else case "$command ${COMP_WORDS[i-1]}" in TAKES_VALUE) ;; *) place=$((place + 1)) ;; esac; fi ;;
    esac
  done
)";

std::string bash(const Commands& commands) {
  std::string takes_value, values, options, places, names;
  for (const DescribedCommand& command : named(commands)) {
    names += (names.empty() ? "" : " ") + command.name;
    std::string all;
    for (const DescribedOption& option : command.options) {
      if (option.positional()) continue;
      all += (all.empty() ? "" : " ") + joined(option.names);
      if (option.value.empty()) continue;
      std::string patterns;
      for (const std::string& name : option.names)
        patterns += (patterns.empty() ? "'" : "|'") + command.name + " " + name + "'";
      takes_value += (takes_value.empty() ? "" : "|") + patterns;
      const std::string list = option.list || !option.listed_by.empty() ? " list" : "";
      values += "    " + patterns + ") ";
      if (!option.listed_by.empty())
        values += "_assay_words \"$(_assay_names " + option.listed_by + ")\"" + list + "; ";
      if (!option.choices.empty()) values += "_assay_words '" + joined(option.choices) + "'" + list + "; ";
      if (option.files) values += "COMPREPLY+=($(compgen -f -- \"$cur\")); compopt -o filenames 2>/dev/null; ";
      values += "return ;;\n";
    }
    options += "    " + command.name + ") _assay_words '" + all + "' ;;\n";
    const auto arguments = positionals(command);
    for (std::size_t place = 0; place < arguments.size(); ++place) {
      const bool last = place + 1 == arguments.size();
      const std::string pattern =
          "    '" + command.name + " '" + (last && arguments[place]->choices.empty() ? "*" : std::to_string(place));
      if (!arguments[place]->choices.empty())
        places += pattern + ") _assay_words '" + joined(arguments[place]->choices) + "' ;;\n";
      if (arguments[place]->files)
        places += pattern + ") COMPREPLY=($(compgen -f -- \"$cur\")); compopt -o filenames 2>/dev/null ;;\n";
    }
  }
  std::string script = bash_frame;
  const std::string mark = "TAKES_VALUE";
  script.replace(script.find(mark), mark.size(), takes_value);
  script += "  if [ -z \"$command\" ]; then\n    case $cur in -*) _assay_words '" + joined({"--help", "--version"}) +
            "' ;; *) _assay_words '" + names + "' ;; esac\n    return\n  fi\n";
  script += "  case \"$command $prev\" in\n" + values + "  esac\n";
  script += "  if [[ $cur == -* ]]; then\n    case $command in\n" + options + "    esac\n    return\n  fi\n";
  script += "  case \"$command $place\" in\n" + places + "  esac\n}\ncomplete -F _assay assay\n";
  return script;
}

/// What zsh calls an action: how a value is completed.
std::string zsh_action(const DescribedOption& option) {
  if (!option.listed_by.empty()) return "_sequence _assay_" + option.listed_by;
  if (!option.choices.empty() && option.list) return "_values -s , choice " + joined(option.choices);
  if (!option.choices.empty() && option.files)
    return "_alternative \"choice\\:choice\\:(" + joined(option.choices) + ")\" \"files\\:file\\:_files\"";
  if (!option.choices.empty()) return "(" + joined(option.choices) + ")";
  return option.files ? "_files" : " ";
}

/// The name of an option's value: the option's, without its hyphens.
std::string zsh_name(const DescribedOption& option) {
  const std::string& name = option.names.front();
  return name.substr(name.find_first_not_of('-'));
}

std::string zsh(const Commands& commands) {
  std::string script =
      "#compdef assay\n# Completions of assay for zsh, made by: assay complete zsh\n\n"
      "_assay_names() {\n  local list=$1; shift\n  local -a names\n"
      "  if [[ $list == formats ]]; then names=(${(f)\"$($words[1] list formats --no-config 2>/dev/null | sed -n "
      "'3,$s/ .*//p')\"})\n"
      "  else names=(${(f)\"$($words[1] list $list --no-config 2>/dev/null)\"}); fi\n"
      "  compadd \"$@\" -a names\n}\n"
      "_assay_ops() { _assay_names ops \"$@\" }\n_assay_backends() { _assay_names backends \"$@\" }\n"
      "_assay_formats() { _assay_names formats \"$@\" }\n_assay_shapes() { _assay_names shapes \"$@\" }\n"
      "_assay_fills() { _assay_names fills \"$@\" }\n\n"
      "_assay() {\n  local curcontext=$curcontext state line\n  typeset -A opt_args\n"
      "  _arguments -C '(- *)--help[print help]' '(- *)--version[print the version]' '1: :->command' '*:: "
      ":->arguments'\n"
      "  case $state in\n  command)\n    local -a commands=(\n";
  for (const DescribedCommand& command : named(commands))
    script += "      '" + command.name + ":" + gist(command.text) + "'\n";
  script += "    )\n    _describe command commands ;;\n  arguments)\n    words[1]=assay\n    case $line[1] in\n";
  for (const DescribedCommand& command : named(commands)) {
    script += "    " + command.name + ")\n      _arguments -s";
    for (const DescribedOption& option : command.options) {
      if (option.positional()) continue;
      for (const std::string& name : option.names) {
        const bool long_name = name.rfind("--", 0) == 0;
        script += " \\\n        '" +
                  std::string(option.list || option.value.find("VALUE") != std::string::npos ? "*" : "") + name +
                  (option.value.empty() ? ""
                   : long_name          ? "="
                                        : "+") +
                  "[" + gist(option.text) + "]" +
                  (option.value.empty() ? "" : ":" + zsh_name(option) + ":" + zsh_action(option)) + "'";
      }
    }
    const auto arguments = positionals(command);
    for (std::size_t place = 0; place < arguments.size(); ++place) {
      const bool rest = place + 1 == arguments.size() && arguments[place]->choices.empty();
      script += " \\\n        '" + (rest ? std::string("*") : std::to_string(place + 1)) + ":" +
                zsh_name(*arguments[place]) + ":" + zsh_action(*arguments[place]) + "'";
    }
    script += " ;;\n";
  }
  script +=
      "    esac ;;\n  esac\n}\n\nif [[ $zsh_eval_context[-1] == loadautofunc ]]; then _assay \"$@\"; else compdef "
      "_assay assay; fi\n";
  return script;
}

std::string fish(const Commands& commands) {
  std::string script =
      "# Completions of assay for fish, made by: assay complete fish\n\n"
      "function __assay_names\n"
      "  set -l tool (commandline -opc)[1]\n"
      "  set -l before (commandline -ct | string replace -r '^--?[a-z-]+=' '' | string match -r '.*,')\n"
      "  if test $argv[1] = formats\n    $tool list formats --no-config 2>/dev/null | sed -n '3,$s/ .*//p' | string "
      "replace -r '^' "
      "\"$before\"\n"
      "  else\n    $tool list $argv[1] --no-config 2>/dev/null | string replace -r '^' \"$before\"\n  end\nend\n\n"
      "complete -c assay -f\n"
      "complete -c assay -n __fish_use_subcommand -l help -d 'print help'\n"
      "complete -c assay -n __fish_use_subcommand -l version -d 'print the version'\n";
  for (const DescribedCommand& command : named(commands))
    script += "complete -c assay -n __fish_use_subcommand -a " + command.name + " -d '" + gist(command.text) + "'\n";
  for (const DescribedCommand& command : named(commands)) {
    const std::string begin = "complete -c assay -n '__fish_seen_subcommand_from " + command.name + "'";
    bool files = false;
    for (const DescribedOption& option : command.options) {
      if (option.positional()) {
        files = files || option.files;
        if (!option.choices.empty())
          script += "complete -c assay -n '__fish_seen_subcommand_from " + command.name +
                    "; and not __fish_seen_subcommand_from " + joined(option.choices) + "' -a '" +
                    joined(option.choices) + "'\n";
        continue;
      }
      script += begin;
      for (const std::string& name : option.names)
        script += name[1] == '-' ? " -l " + name.substr(2) : " -s " + name.substr(1);
      script += " -d '" + gist(option.text) + "'";
      if (!option.value.empty()) script += option.files ? " -r -F" : " -x";
      if (!option.listed_by.empty())
        script += " -a '(__assay_names " + option.listed_by + ")'";
      else if (!option.value.empty() && !option.choices.empty())
        script += " -a '" + joined(option.choices) + "'";
      script += "\n";
    }
    if (files) script += begin + " -F\n";
  }
  return script;
}

}  // namespace

int complete(const CommandLine& line) {
  CommandLine described;
  OptionTexts texts;
  CLI::App app{program_description, "assay"};
  add_commands(app, described, texts);
  const Commands commands = describe_commands(app);
  std::string script;
  if (line.shell == "bash")
    script = bash(commands);
  else if (line.shell == "zsh")
    script = zsh(commands);
  else if (line.shell == "fish")
    script = fish(commands);
  else
    return fault(assay::unknown_name("shell", line.shell, {"bash", "zsh", "fish"}));
  std::fputs(script.c_str(), stdout);
  return std::fflush(stdout) == 0 ? 0 : 2;
}

}  // namespace assay_program
