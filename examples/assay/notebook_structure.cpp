#include "notebook_structure.hpp"

#include <algorithm>
#include <cctype>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <set>
#include <stdexcept>
#include <utility>

#include "assay/report/text.hpp"

namespace assay_program {

namespace {

using NotebookJson = nlohmann::json;

constexpr int deepest_notebook = 100;

std::string shown_name(const std::string& text) {
  return "'" + assay::clipped(assay::visible(text), 40) + "'";
}

/// Collects what is wrong, each with where it is.
class NotebookReader {
 public:
  explicit NotebookReader(NotebookStructure& found) : found_(found) {}

  void read(const NotebookJson& notebook) {
    where_.clear();
    if (!notebook.is_object()) return wrong(std::string("the file holds ") + notebook.type_name() + ", not an object");
    if (!is_whole_number(notebook, "nbformat"))
      return wrong("nbformat is missing or no whole number: this is no notebook");
    if (const auto major = notebook["nbformat"].get<std::int64_t>(); major != 4)
      return wrong("nbformat is " + std::to_string(major) +
                   ", and 4 is read; jupyter nbconvert --to notebook brings it there");
    if (!is_whole_number(notebook, "nbformat_minor"))
      wrong("nbformat_minor is missing or no whole number");
    else
      found_.minor =
          static_cast<int>(std::clamp<std::int64_t>(notebook["nbformat_minor"].get<std::int64_t>(), 0, 1000));
    only(notebook, {"nbformat", "nbformat_minor", "metadata", "cells"});
    if (member(notebook, "metadata", NotebookJson::value_t::object, "an object")) read_language(notebook["metadata"]);
    if (!member(notebook, "cells", NotebookJson::value_t::array, "a list")) return;
    found_.cells = notebook["cells"].size();
    bool has_text = false;
    for (std::size_t i = 0; i < found_.cells; ++i) {
      where_ = "cell " + std::to_string(i + 1) + ": ";
      has_text = read_cell(notebook["cells"][i], i + 1) || has_text;
    }
    where_.clear();
    if (!has_text) wrong(found_.cells == 0 ? "it has no cells" : "all its cells are empty");
  }

 private:
  void wrong(const std::string& what) { found_.problems.push_back(where_ + what); }

  static bool is_whole_number(const NotebookJson& object, const char* name) {
    return object.contains(name) && object[name].is_number_integer();
  }

  bool member(const NotebookJson& object, const char* name, NotebookJson::value_t type, const char* meant) {
    if (object.contains(name) && object[name].type() == type) return true;
    wrong(std::string(name) + (object.contains(name) ? " is " + std::string(object[name].type_name()) + ", not " + meant
                                                     : std::string(" is missing")));
    return false;
  }

  void only(const NotebookJson& object, std::initializer_list<const char*> names) {
    for (const auto& [name, value] : object.items())
      if (std::none_of(names.begin(), names.end(), [&, &key = name](const char* known) { return key == known; }))
        wrong("unknown field " + shown_name(name));
  }

  /// A text, or a list of its lines.
  bool text(const NotebookJson& object, const char* name, std::string& whole) {
    if (!object.contains(name)) {
      wrong(std::string(name) + " is missing");
      return false;
    }
    const NotebookJson& value = object[name];
    if (value.is_string()) {
      whole = value.get<std::string>();
      return true;
    }
    const bool lines = value.is_array() && std::all_of(value.begin(), value.end(),
                                                       [](const NotebookJson& line) { return line.is_string(); });
    if (!lines) {
      wrong(std::string(name) + " is neither a text nor a list of texts");
      return false;
    }
    for (const NotebookJson& line : value) whole += line.get_ref<const std::string&>();
    return true;
  }

  void read_language(const NotebookJson& metadata) {
    const auto told = [&](const char* group, const char* name) -> std::string {
      if (!metadata.contains(group) || !metadata[group].is_object()) return {};
      const NotebookJson& inner = metadata[group];
      return inner.contains(name) && inner[name].is_string() ? inner[name].get<std::string>() : std::string();
    };
    const std::pair<const char*, std::vector<const char*>> groups[] = {{"kernelspec", {"name", "display_name"}},
                                                                       {"language_info", {"name"}}};
    for (const auto& [group, names] : groups) {
      if (!metadata.contains(group)) continue;
      if (!metadata[group].is_object()) {
        wrong("metadata." + std::string(group) + " is no object");
        continue;
      }
      for (const char* name : names)
        if (told(group, name).empty()) wrong("metadata." + std::string(group) + " has no " + name);
    }
    found_.language = told("language_info", "name");
    if (found_.language.empty()) found_.language = told("kernelspec", "language");
    std::transform(found_.language.begin(), found_.language.end(), found_.language.begin(),
                   [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
  }

  void read_id(const NotebookJson& cell) {
    if (found_.minor < 5) {
      if (cell.contains("id"))
        wrong("an id, which cells have from nbformat 4.5, and this is 4." + std::to_string(found_.minor));
      return;
    }
    if (!member(cell, "id", NotebookJson::value_t::string, "a text")) return;
    const std::string id = cell["id"].get<std::string>();
    const bool plain = std::all_of(id.begin(), id.end(), [](unsigned char letter) {
      return letter < 128 && (std::isalnum(letter) != 0 || letter == '-' || letter == '_');
    });
    if (id.empty() || id.size() > 64 || !plain)
      wrong("id " + shown_name(id) + " is not 1 to 64 letters, digits, - and _");
    else if (!ids_.insert(id).second)
      wrong("id " + shown_name(id) + " was another cell's");
  }

  void read_output(const NotebookJson& output) {
    if (!output.is_object()) return wrong("an output is no object");
    if (!member(output, "output_type", NotebookJson::value_t::string, "a text")) return;
    const std::string type = output["output_type"].get<std::string>();
    std::string ignored;
    if (type == "stream") {
      only(output, {"output_type", "name", "text"});
      member(output, "name", NotebookJson::value_t::string, "a text");
      text(output, "text", ignored);
    } else if (type == "error") {
      only(output, {"output_type", "ename", "evalue", "traceback"});
      member(output, "ename", NotebookJson::value_t::string, "a text");
      member(output, "evalue", NotebookJson::value_t::string, "a text");
      member(output, "traceback", NotebookJson::value_t::array, "a list");
    } else if (type == "display_data" || type == "execute_result") {
      only(output, {"output_type", "data", "metadata", "execution_count"});
      member(output, "data", NotebookJson::value_t::object, "an object");
      member(output, "metadata", NotebookJson::value_t::object, "an object");
      if ((type == "execute_result") != output.contains("execution_count"))
        wrong(type + (output.contains("execution_count") ? " has an" : " has no") + " execution_count");
    } else {
      wrong("unknown output_type " + shown_name(type));
    }
  }

  void read_code(const NotebookJson& cell, const std::string& source, std::size_t number) {
    only(cell, {"cell_type", "id", "metadata", "source", "outputs", "execution_count"});
    if (!cell.contains("execution_count"))
      wrong("execution_count is missing");
    else if (!cell["execution_count"].is_null() && !cell["execution_count"].is_number_unsigned())
      wrong("execution_count is neither null nor a count");
    if (member(cell, "outputs", NotebookJson::value_t::array, "a list"))
      for (const NotebookJson& output : cell["outputs"]) read_output(output);
    found_.code.push_back({number, source});
  }

  /// Whether it holds more than blanks.
  bool read_cell(const NotebookJson& cell, std::size_t number) {
    if (!cell.is_object()) {
      wrong(std::string("it is ") + cell.type_name() + ", not an object");
      return false;
    }
    read_id(cell);
    member(cell, "metadata", NotebookJson::value_t::object, "an object");
    std::string source;
    const bool readable = text(cell, "source", source);
    if (member(cell, "cell_type", NotebookJson::value_t::string, "a text")) {
      const std::string type = cell["cell_type"].get<std::string>();
      if (type == "code") {
        if (readable) read_code(cell, source, number);
      } else if (type == "markdown" || type == "raw") {
        only(cell, {"cell_type", "id", "metadata", "source", "attachments"});
        if (cell.contains("attachments")) member(cell, "attachments", NotebookJson::value_t::object, "an object");
      } else {
        wrong("unknown cell_type " + shown_name(type) + "; there are code, markdown and raw");
      }
    }
    return source.find_first_not_of(" \t\r\n") != std::string::npos;
  }

  NotebookStructure& found_;
  std::string where_;
  std::set<std::string> ids_;
};

}  // namespace

NotebookStructure read_notebook(const std::string& bytes) {
  NotebookStructure found;
  const auto refused = [&](const std::string& what) {
    found.problems = {what};
    return found;
  };
  if (bytes.find_first_not_of(" \t\r\n") == std::string::npos) return refused("the file is empty");
  if (bytes.rfind("version https://git-lfs.github.com/spec/", 0) == 0)
    return refused("a pointer of Git LFS stands in the notebook's place; git lfs pull brings the notebook");
  NotebookJson notebook;
  try {
    notebook = NotebookJson::parse(bytes, [](int depth, NotebookJson::parse_event_t, NotebookJson&) {
      if (depth > deepest_notebook)
        throw std::length_error("lists in lists, more than " + std::to_string(deepest_notebook) + " deep");
      return true;
    });
  } catch (const std::length_error& error) {
    return refused(error.what());
  } catch (const NotebookJson::exception& error) {
    std::string what = error.what();
    what.erase(0, what.find("] ") == std::string::npos ? 0 : what.find("] ") + 2);
    return refused("it is no JSON: " + assay::clipped(assay::visible(what), 300));
  }
  NotebookReader(found).read(notebook);
  return found;
}

}  // namespace assay_program
