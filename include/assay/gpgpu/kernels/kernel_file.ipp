#pragma once

#include "assay/gpgpu/kernels/kernel_file.hpp"

#include <algorithm>
#include <utility>

#include "assay/core/config.hpp"
#include "assay/core/nearest_name.hpp"
#include "assay/core/printed_number.hpp"
#include "assay/gpgpu/detail/placed_json.hpp"
#include "assay/report/read_file.hpp"
#include "assay/report/text.hpp"
#include "assay/tolerance/unit_promise.hpp"
#include "assay/validators/kernel_contract.hpp"

namespace assay::inline v0 {

namespace detail {

/// Reads a document member by member; the first refusal stays, and what is read after it is of no account.
class KernelFileReader {
 public:
  using Kind = PlacedJson::Kind;

  KernelFileReader(std::filesystem::path path, KernelInterface kind, const std::vector<std::string>& operations)
      : path_(std::move(path)), kind_(kind), operations_(operations) {}

  std::string error;

  [[nodiscard]] KernelFile file(const PlacedJson& json) {
    KernelFile file;
    file.path = path_;
    file.name = path_.stem().string();
    if (!object(json, {"$schema", "name", "version", "kernels"}, {"kernels"})) return file;
    text(json, "name", file.name);
    text(json, "version", file.version);
    const PlacedJson& kernels = *json.find("kernels");
    if (!expect(kernels, Kind::list, "a list of kernels")) return file;
    if (kernels.elements.empty()) refuse(kernels.place, "the list of kernels is empty");
    for (const PlacedJson& entry : kernels.elements) {
      file.kernels.push_back(kernel(entry));
      if (!error.empty()) break;
      check_agreement(file.kernels);
    }
    return file;
  }

 private:
  void refuse(const FilePlace& place, const std::string& what) {
    if (error.empty()) error = place.text() + ": " + clipped(visible(what), 900);
  }
  [[nodiscard]] bool expect(const PlacedJson& json, Kind kind, const char* what) {
    if (json.kind == kind) return true;
    static constexpr const char* names[] = {"null", "a truth value", "a number", "a text", "a list", "an object"};
    refuse(json.place, std::string("expected ") + what + ", found " + names[static_cast<int>(json.kind)]);
    return false;
  }
  [[nodiscard]] bool object(const PlacedJson& json, const std::vector<std::string>& known,
                            const std::vector<std::string>& required) {
    if (!expect(json, Kind::object, "an object")) return false;
    for (const PlacedJson& name : json.names)
      if (std::find(known.begin(), known.end(), name.text) == known.end())
        refuse(name.place, unknown_name("member", clipped(name.text, 60), known));
    for (const std::string& name : required)
      if (json.find(name) == nullptr) refuse(json.place, "the member \"" + name + "\" is missing");
    return error.empty();
  }
  void text(const PlacedJson& json, const char* name, std::string& value) {
    const PlacedJson* const found = json.find(name);
    if (found != nullptr && expect(*found, Kind::text, "a text")) value = found->text;
  }
  /// One text, or a list of some.
  [[nodiscard]] std::vector<const PlacedJson*> texts(const PlacedJson& json) {
    std::vector<const PlacedJson*> all;
    if (json.kind == Kind::text) return {&json};
    if (!expect(json, Kind::list, "a text, or a list of texts")) return all;
    for (const PlacedJson& entry : json.elements)
      if (expect(entry, Kind::text, "a text")) all.push_back(&entry);
    return all;
  }
  /// A text with an expression, or a number.
  [[nodiscard]] PlacedExpression expression(const PlacedJson& json) {
    std::string written = json.text;
    PlacedExpression placed;
    placed.place = json.place;
    if (json.kind == Kind::number)
      written = printed_number(json.number, 17);
    else if (expect(json, Kind::text, "an expression, as a text, or a number"))
      ++placed.place.column;  // behind the quote
    ExpressionProblem problem;
    auto parsed = Expression::parse(written, &problem);
    if (parsed) {
      placed.expression = std::move(parsed).value();
      return placed;
    }
    FilePlace at = placed.place;
    at.column += problem.position;
    refuse(at, problem.message);
    return placed;
  }
  [[nodiscard]] std::vector<PlacedExpression> sizes(const PlacedJson& json) {
    std::vector<PlacedExpression> all;
    if (!expect(json, Kind::list, "a list of one to three expressions")) return all;
    if (json.elements.empty() || json.elements.size() > 3)
      refuse(json.place, "expected one to three expressions, found " + std::to_string(json.elements.size()));
    for (const PlacedJson& entry : json.elements) all.push_back(expression(entry));
    return all;
  }
  [[nodiscard]] KernelArgument argument(const PlacedJson& json) {
    KernelArgument made;
    made.place = json.place;
    std::vector<std::string> known{"operand", "int", "uint", "float"};
    if (kind_ != KernelInterface::webgpu) known.insert(known.end(), {"long", "ulong", "double"});  // WGSL has none
    if (kind_ == KernelInterface::opencl) known.insert(known.end(), {"local", "workspace"});
    if (!object(json, known, {})) return made;
    if (json.names.size() != 1) {
      refuse(json.place, "an argument has one member: {\"operand\": \"A\"} or {\"int\": \"m\"}");
      return made;
    }
    const PlacedJson &name = json.names.front(), &value = json.values.front();
    if (name.text == "operand") {
      if (expect(value, Kind::text, "the name of an operand")) made.name = value.text;
      return made;
    }
    made.kind = name.text == "local"       ? KernelArgument::Kind::local
                : name.text == "workspace" ? KernelArgument::Kind::workspace
                                           : KernelArgument::Kind::scalar;
    made.name = name.text;
    made.value = expression(value);
    return made;
  }
  [[nodiscard]] DescribedKernel kernel(const PlacedJson& json) {
    DescribedKernel made;
    made.place = json.place;
    const bool opencl = kind_ == KernelInterface::opencl;
    const char* const sizes_of = opencl ? "global" : "groups";
    std::vector<std::string> known{"operation", "formats",  "file",        "entry",           "requires", "arguments",
                                   sizes_of,    "promises", "accumulator", "function_errors", "contract"};
    if (opencl) known.insert(known.end(), {"options", "local"});
    if (!object(json, known, {"operation", "formats", "file", "entry", "arguments", sizes_of})) return made;
    text(json, "operation", made.operation);
    if (!operations_.empty() && std::find(operations_.begin(), operations_.end(), made.operation) == operations_.end())
      refuse(json.find("operation")->place, unknown_name("operation", clipped(made.operation, 60), operations_));
    for (const PlacedJson* const format : texts(*json.find("formats"))) made.formats.push_back(format->text);
    if (made.formats.empty()) refuse(json.find("formats")->place, "no formats; \"*\" takes all");
    std::string file;
    text(json, "file", file);
    made.file = path_.parent_path() / file;
    std::error_code code;
    if (error.empty() && !std::filesystem::is_regular_file(made.file, code))
      refuse(json.find("file")->place, "'" + made.file.string() + "' is no file");
    text(json, "entry", made.entry);
    text(json, "options", made.options);
    if (const PlacedJson* const required = json.find("requires"))
      for (const PlacedJson* const each : texts(*required)) made.requirements.push_back(expression(*each));
    if (const PlacedJson& arguments = *json.find("arguments"); expect(arguments, Kind::list, "a list of arguments"))
      for (const PlacedJson& entry : arguments.elements) made.arguments.push_back(argument(entry));
    made.global = sizes(*json.find(sizes_of));
    if (const PlacedJson* const local = json.find("local")) {
      made.local = sizes(*local);
      if (made.local.size() != made.global.size())
        refuse(local->place, "\"local\" has " + std::to_string(made.local.size()) + " sizes, and \"global\" " +
                                 std::to_string(made.global.size()));
    }
    promise(json, made);
    return made;
  }
  void promise(const PlacedJson& json, DescribedKernel& made) {
    if (const PlacedJson* const found = json.find("promises")) {
      for (const PlacedJson* const each : texts(*found))
        made.promises += (made.promises.empty() ? "" : ",") + each->text;
      if (const auto read = read_promises(made.promises, "of " + made.operation); !read)
        refuse(found->place, read.error().message);
    }
    if (const PlacedJson* const found = json.find("contract")) {
      text(json, "contract", made.contract);
      if (const auto read = read_contract(made.contract); !read) refuse(found->place, read.error().message);
    }
    if (const PlacedJson* const found = json.find("accumulator"); found != nullptr) {
      text(json, "accumulator", made.accumulator);
      static const std::vector<std::string> known{"f64", "f32", "tf32", "f16", "bf16"};
      if (std::find(known.begin(), known.end(), made.accumulator) == known.end())
        refuse(found->place, unknown_name("accumulator", clipped(made.accumulator, 60), known));
    }
    if (const PlacedJson* const found = json.find("function_errors")) {
      made.function_errors = function_errors(*found, made.accumulator);
      if (!(made.function_errors > 0) || made.function_errors > 0x1p40)
        refuse(found->place, "expected a number of unit roundoffs above 0");
    }
  }
  /// A number, or [a, b] for a + b·|x|.
  [[nodiscard]] double function_errors(const PlacedJson& json, const std::string& accumulator) {
    if (json.kind != Kind::list) {
      (void)expect(json, Kind::number, "a number of unit roundoffs, or [a, b] for a + b·|x|");
      return json.number;
    }
    const bool numbers = json.elements.size() == 2 && json.elements[0].kind == Kind::number &&
                         json.elements[1].kind == Kind::number && json.elements[1].number >= 0;
    if (!numbers)
      refuse(json.place, "expected [a, b] for a + b·|x| unit roundoffs, two numbers of which b is no less than 0");
    // The largest |x| of which exp(x) is neither 0 nor infinite when it is rounded.
    const double largest = accumulator == "f64" ? 746 : accumulator == "f16" ? 18 : 104;
    return numbers ? json.elements[0].number + json.elements[1].number * largest : 0;
  }
  /// Of one operation what kernels promise is one.
  void check_agreement(const std::vector<DescribedKernel>& kernels) {
    const DescribedKernel& last = kernels.back();
    for (const DescribedKernel& other : kernels)
      if (other.operation == last.operation &&
          (other.accumulator != last.accumulator || other.promises != last.promises ||
           other.contract != last.contract || other.function_errors != last.function_errors))
        refuse(last.place, "this kernel of " + last.operation + " promises another arithmetic than that at line " +
                               std::to_string(other.place.line) + "; put it into a file of its own");
  }

  std::filesystem::path path_;
  KernelInterface kind_;
  const std::vector<std::string>& operations_;
};

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE Result<KernelFile> parse_kernel_file(std::string_view text,
                                                                const std::filesystem::path& path, KernelInterface kind,
                                                                const std::vector<std::string>& operations) {
  const auto json = detail::parse_placed_json(text, path.filename().string());
  if (!json) return json.propagate();
  detail::KernelFileReader reader(path, kind, operations);
  KernelFile file = reader.file(json.value());
  if (!reader.error.empty()) return failure(ErrorKind::malformed, reader.error);
  return file;
}

ASSAY_DETAIL_HEADER_INLINE Result<KernelFile> read_kernel_file(const std::filesystem::path& path, KernelInterface kind,
                                                               const std::vector<std::string>& operations) {
  const auto text = read_file(path, "a file that describes kernels");
  if (!text) return text.propagate();
  return parse_kernel_file(text.value(), path, kind, operations);
}

}  // namespace assay::inline v0
