#include "notebooks.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>
#include <vector>

#include "assay/core/detect_environment.hpp"
#include "assay/core/process/run_program.hpp"
#include "assay/core/process/worker_output.hpp"
#include "assay/report/json.hpp"
#include "assay/report/text.hpp"
#include "command_line.hpp"
#include "fault.hpp"
#include "notebook_structure.hpp"

namespace assay_program {

namespace {

namespace files = std::filesystem;

constexpr std::uintmax_t largest_notebook = std::uintmax_t{256} << 20;
constexpr std::size_t most_told = 20;
constexpr double parse_seconds = 60;

/// Parses and runs nothing. A line at which the parser stops and that only IPython understands (a magic, a command of
/// the shell, a question) is put out of the way, and the rest parsed again: so a % that continues an expression stays.
constexpr const char* parser = R"py(
import ast, json, re, sys
flags = ast.PyCF_ONLY_AST | getattr(ast, "PyCF_ALLOW_TOP_LEVEL_AWAIT", 0)
python_bodies = {"time", "timeit", "capture", "prun", "debug"}
def problem(source):
    lines = source.split("\n")
    first = next((i for i, line in enumerate(lines) if line.strip()), 0)
    if lines[first].startswith("%%"):
        if lines[first][2:].split()[:1] and lines[first][2:].split()[0] not in python_bodies:
            return None
        lines[first] = ""
    while True:
        try:
            compile("\n".join(lines), "cell", "exec", flags, True)
            return None
        except SyntaxError as error:
            at = (error.lineno or 1) - 1
            line = lines[at] if at < len(lines) else ""
            text = line.strip()
            special = re.match(r"(\s*)(?:%\S|!|\?+\S|[\w.,\s\[\]]+=\s*[%!]\S)", line) or re.match(r"(\s*)[\w.%*]+\?{1,2}\s*$", line)
            if not special or not text:
                return f"line {at + 1}: {error.msg}: {text[:100]}"
            continued = lines[at].endswith("\\")
            lines[at] = special[1] + "pass"
            while continued and at + 1 < len(lines):
                at += 1
                continued = lines[at].endswith("\\")
                lines[at] = ""
        except ValueError as error:
            return str(error)
        except (RecursionError, MemoryError):
            return "it is nested too deeply for Python's parser"
problems = []
for cell in json.load(open(sys.argv[1], encoding="utf-8")):
    found = problem(cell["source"])
    if found:
        problems.append(f"cell {cell['number']}, {found}")
json.dump({"version": "%d.%d.%d" % sys.version_info[:3], "problems": problems}, open(sys.argv[2], "w", encoding="utf-8"))
)py";

/// A folder of its own, which goes with it.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string pattern = (files::temp_directory_path() / "assay-notebooks-XXXXXX").string();
    if (::mkdtemp(pattern.data()) != nullptr) folder_ = pattern;
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    if (!folder_.empty()) files::remove_all(folder_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  [[nodiscard]] const files::path& folder() const { return folder_; }

 private:
  files::path folder_;
};

assay::Outcome notebook_outcome(const std::string& name, const char* aspect, const NotebooksOptions& options,
                                const std::string& path) {
  assay::Outcome outcome;
  outcome.id = "notebooks/" + name + "/" + aspect;
  outcome.labels = {{"operation", "notebooks"}, {"data", name}, {"aspect", aspect}};
  outcome.reproduce = "assay notebooks check " + shell_quoted(path) +
                      (options.python == "python3" ? "" : " --python " + shell_quoted(options.python));
  return outcome;
}

void refuse(assay::Outcome& outcome, std::vector<std::string> problems) {
  outcome.verdict = assay::Verdict::fail;
  outcome.reason = problems.front();
  if (problems.size() > 1) outcome.reason += "; and " + std::to_string(problems.size() - 1) + " more";
  outcome.measure("problems", static_cast<double>(problems.size()));
  if (problems.size() > most_told) problems.resize(most_told);
  outcome.diagnosis = std::move(problems);
}

/// By a process of its own: what no parser survives costs this notebook its answer, and nothing else.
void parse_code(assay::Outcome& outcome, const std::vector<CodeCell>& code, const NotebooksOptions& options,
                const files::path& folder) {
  nlohmann::json cells = nlohmann::json::array();
  for (const CodeCell& cell : code) cells.push_back({{"number", cell.number}, {"source", cell.source}});
  const files::path given = folder / "cells.json", answer = folder / "answer.json";
  std::error_code ignored;
  files::remove(answer, ignored);
  std::ofstream(given, std::ios::binary) << cells.dump();
  const auto run = assay::detail::run_program(
      {options.python, "-I", "-W", "ignore", "-c", parser, given.string(), answer.string()}, parse_seconds);
  if (!run) {
    outcome.verdict = assay::Verdict::unsupported;
    outcome.reason = "'" + options.python +
                     "' cannot be started, and without it no Python is parsed; --python names another (" +
                     run.error().message + ")";
    return;
  }
  const nlohmann::json read = nlohmann::json::parse(std::ifstream(answer), nullptr, false);
  const assay::detail::Ending& ending = run.value().ending;
  if (ending.kind == assay::detail::Ending::Kind::timeout) {
    outcome.verdict = assay::Verdict::fail;
    outcome.reason = "Python's parser needed more than " + assay::number_text(parse_seconds) + " s, and was ended";
  } else if (ending.kind == assay::detail::Ending::Kind::signal) {
    outcome.verdict = assay::Verdict::fail;
    outcome.reason = "Python's parser did not survive it: signal " + std::to_string(ending.number);
  } else if (!run.value().succeeded() || !read.is_object() || !read.contains("problems")) {
    const std::string last(assay::detail::last_line(run.value().output));
    outcome.verdict = assay::Verdict::error;
    outcome.reason = "'" + options.python + "' did not parse it: " + description_of(ending) +
                     (last.empty() ? "" : "; its last line: " + assay::clipped(assay::visible(last), 200));
  } else if (const auto problems = read["problems"].get<std::vector<std::string>>(); !problems.empty()) {
    refuse(outcome, problems);
  } else {
    outcome.verdict = assay::Verdict::pass;
    outcome.measure("code_cells", static_cast<double>(code.size()));
    outcome.labels["python"] = read["version"].get<std::string>();
  }
}

void judge_notebook(const std::string& name, const files::path& path, const NotebooksOptions& options,
                    const files::path& folder, std::vector<assay::Outcome>& outcomes) {
  assay::Outcome structure = notebook_outcome(name, "structure", options, path.string());
  assay::Outcome python = notebook_outcome(name, "python", options, path.string());
  python.verdict = assay::Verdict::skipped;
  std::error_code code;
  const std::uintmax_t size = files::file_size(path, code);
  if (code || size > largest_notebook) {
    refuse(structure, {code ? "it cannot be read: " + code.message()
                            : "it has " + std::to_string(size >> 20) + " MiB, and at most " +
                                  std::to_string(largest_notebook >> 20) + " are read; strip its outputs"});
    python.reason = "the notebook was not read";
  } else {
    std::ifstream stream(path, std::ios::binary);
    const std::string bytes((std::istreambuf_iterator<char>(stream)), std::istreambuf_iterator<char>());
    const NotebookStructure found = stream.is_open() && !stream.bad()
                                        ? read_notebook(bytes)
                                        : NotebookStructure{{"it cannot be read"}, {}, {}, 0, 0};
    if (found.problems.empty()) {
      structure.verdict = assay::Verdict::pass;
      structure.measure("cells", static_cast<double>(found.cells));
      structure.labels["nbformat"] = "4." + std::to_string(found.minor);
    } else {
      refuse(structure, found.problems);
    }
    if (!found.language.empty() && found.language != "python" && found.language != "ipython") {
      python.verdict = assay::Verdict::unsupported;
      python.reason = "its language is " + assay::visible(found.language) + ", and Python is parsed";
    } else if (found.code.empty()) {
      python.reason = found.problems.empty() ? "it has no code" : "no code could be read of it";
    } else {
      parse_code(python, found.code, options, folder);
    }
  }
  outcomes.push_back(std::move(structure));
  outcomes.push_back(std::move(python));
}

struct NamedNotebook {
  std::string name;
  files::path path;
};

std::string name_of_notebook(const files::path& path) {
  std::string name = path.generic_string();
  if (path.extension() == ".ipynb") name.erase(name.size() - 6);
  return assay::visible(name);
}

/// Those of a folder by their paths in it; hidden folders hold copies that Jupyter keeps.
assay::Result<std::vector<NamedNotebook>> notebooks_in(const files::path& folder) {
  std::vector<NamedNotebook> found;
  std::error_code code;
  files::recursive_directory_iterator entry(folder, files::directory_options::skip_permission_denied, code);
  for (; !code && entry != files::recursive_directory_iterator(); entry.increment(code)) {
    const std::string own = entry->path().filename().string();
    if (entry->is_directory(code) && own.rfind('.', 0) == 0) entry.disable_recursion_pending();
    if (entry->is_regular_file(code) && own.rfind('.', 0) != 0 && entry->path().extension() == ".ipynb")
      found.push_back({name_of_notebook(entry->path().lexically_relative(folder)), entry->path()});
  }
  if (code) return assay::failure(assay::ErrorKind::io, "'" + folder.string() + "': " + code.message());
  if (found.empty()) return assay::failure(assay::ErrorKind::not_found, "'" + folder.string() + "' holds no *.ipynb");
  std::sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.path < b.path; });
  return found;
}

assay::Result<std::vector<NamedNotebook>> notebooks_of(const std::vector<std::string>& paths) {
  std::vector<NamedNotebook> all;
  for (const std::string& path : paths) {
    std::error_code code;
    if (files::is_directory(path, code)) {
      auto found = notebooks_in(path);
      if (!found) return found.propagate();
      for (NamedNotebook& each : found.value()) all.push_back(std::move(each));
    } else if (files::is_regular_file(path, code)) {
      all.push_back({name_of_notebook(files::path(path).filename()), path});
    } else {
      return assay::failure(assay::ErrorKind::not_found, "'" + path + "' is neither a file nor a folder");
    }
  }
  std::set<files::path> seen;
  std::vector<NamedNotebook> unique;
  for (NamedNotebook& each : all)
    if (seen.insert(each.path.lexically_normal()).second) unique.push_back(std::move(each));
  // Ids are to be unique: those that would be called the same take their whole paths.
  std::multiset<std::string> names;
  for (const NamedNotebook& each : unique) names.insert(each.name);
  for (NamedNotebook& each : unique)
    if (names.count(each.name) > 1) each.name = name_of_notebook(each.path.lexically_normal());
  return unique;
}

}  // namespace

int notebooks(const NotebooksOptions& options, const std::string& command) {
  const auto found = notebooks_of(options.paths);
  if (!found) return fault(found.error().message);
  const TemporaryFolder temporary;
  if (temporary.folder().empty()) return fault("no folder for temporary files can be made; TMPDIR names one");
  assay::Run run;
  run.title = "Notebooks: are they whole?";
  run.command = command;
  run.environment = assay::detect_environment();
  run.planned_cases = 2 * found.value().size();
  for (const NamedNotebook& each : found.value())
    judge_notebook(each.name, each.path, options, temporary.folder(), run.outcomes);
  for (const assay::Outcome& outcome : run.outcomes) {
    std::printf("%-12s %s%s%s\n", std::string(name_of(outcome.verdict)).c_str(), outcome.id.c_str(),
                outcome.reason.empty() ? "" : ": ", outcome.reason.c_str());
    for (std::size_t i = 1; i < outcome.diagnosis.size(); ++i)
      std::printf("%13s%s\n", "", outcome.diagnosis[i].c_str());
  }
  std::printf("%zu notebooks: %zu rows pass, %zu fail, %zu could not be judged\n", found.value().size(),
              run.count(assay::Verdict::pass), run.count(assay::Verdict::fail) + run.count(assay::Verdict::error),
              run.count(assay::Verdict::unsupported) + run.count(assay::Verdict::skipped));
  if (!options.report.empty())
    if (const auto written = assay::write_json(run, options.report); !written) return fault(written.error().message);
  return run.exit_code();
}

}  // namespace assay_program
