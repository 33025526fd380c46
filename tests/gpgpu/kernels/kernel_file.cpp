#include "assay/gpgpu/kernels/kernel_file.hpp"

#include <fstream>
#include <string>

#include "testing/catch.hpp"
#include "testing/source_directory.hpp"
#include "testing/temporary_folder.hpp"

using namespace assay;

namespace {

const std::vector<std::string> operations{"gemm", "softmax"};

std::string described(const std::string& changed = "", const std::string& with = "") {
  std::string text =
      "{\n"
      "  \"name\": \"mine\",\n"
      "  \"kernels\": [\n"
      "    {\"operation\": \"softmax\", \"formats\": [\"f32.f32\"],\n"
      "     \"file\": \"softmax.cl\", \"entry\": \"softmax\", \"requires\": \"inner == 1\",\n"
      "     \"arguments\": [{\"operand\": \"input\"}, {\"int\": \"length\"}, {\"local\": \"4 * 64\"}],\n"
      "     \"global\": [\"(outer + 63) / 64 * 64\"], \"local\": [64], \"promises\": \"flush_subnormals\"}\n"
      "  ]\n"
      "}\n";
  if (!changed.empty()) {
    const std::size_t at = text.find(changed);
    REQUIRE(at != std::string::npos);
    text.replace(at, changed.size(), with);
  }
  return text;
}

struct Folder {
  testing::TemporaryFolder folder;
  Folder() { std::ofstream(folder.path / "softmax.cl") << "kernel void softmax() {}\n"; }
  [[nodiscard]] Result<KernelFile> parse(const std::string& text,
                                         KernelInterface kind = KernelInterface::opencl) const {
    return parse_kernel_file(text, folder.path / "kernels.json", kind, operations);
  }
  [[nodiscard]] std::string refusal(const std::string& changed, const std::string& with) const {
    const auto parsed = parse(described(changed, with));
    REQUIRE_FALSE(parsed);
    CHECK(parsed.error().kind == ErrorKind::malformed);
    return parsed.error().message;
  }
};

bool begins(const std::string& text, const std::string& with) {
  CAPTURE(text, with);
  return text.rfind(with, 0) == 0;
}

}  // namespace

TEST_CASE("a file of kernels is read") {
  const Folder folder;
  const auto parsed = folder.parse(described());
  REQUIRE(parsed);
  const KernelFile& file = parsed.value();
  CHECK(file.name == "mine");
  REQUIRE(file.kernels.size() == 1);
  const DescribedKernel& kernel = file.kernels[0];
  CHECK(kernel.operation == "softmax");
  CHECK(kernel.formats == std::vector<std::string>{"f32.f32"});
  CHECK(kernel.arguments.size() == 3);
  CHECK(kernel.arguments[0].kind == KernelArgument::Kind::operand);
  CHECK(kernel.arguments[1].name == "int");
  CHECK(kernel.arguments[2].kind == KernelArgument::Kind::local);
  CHECK(kernel.local.size() == 1);
  CHECK(kernel.promises == "flush_subnormals");
  CHECK(kernel.requirements.size() == 1);
  CHECK(kernel.place.line == 4);
  CHECK(kernel.place.column == 5);
}

TEST_CASE("what is wrong in a file is told with line and column") {
  const Folder folder;
  CHECK(begins(folder.refusal("\"global\"", "\"globl\""), "kernels.json:7:6: unknown member 'globl'; nearest: global"));
  CHECK(begins(folder.refusal("\"softmax\", \"formats\"", "\"sotfmax\", \"formats\""),
               "kernels.json:4:19: unknown operation 'sotfmax'; nearest: softmax"));
  CHECK(begins(folder.refusal("(outer + 63) /", "(outer + 63 /"), "kernels.json:7:39: expected ')'"));
  CHECK(begins(folder.refusal("[64]", "[true]"), "kernels.json:7:54: expected an expression"));
  CHECK(begins(folder.refusal("[64]", "[64, 1]"), "kernels.json:7:53: \"local\" has 2 sizes"));
  CHECK(begins(folder.refusal("\"softmax.cl\"", "\"other.cl\""), "kernels.json:5:14: '"));
  CHECK(begins(folder.refusal("{\"operand\": \"input\"}", "{\"operant\": \"input\"}"),
               "kernels.json:6:21: unknown member 'operant'; nearest: operand"));
  CHECK(begins(folder.refusal("{\"operand\": \"input\"}", "{}"), "kernels.json:6:20: an argument has one member"));
  CHECK(begins(folder.refusal("flush_subnormals", "flush_everything"), "kernels.json:7:71: "));
  CHECK(begins(folder.refusal("\"entry\": \"softmax\", ", ""), "kernels.json:4:5: the member \"entry\" is missing"));
  CHECK(begins(folder.refusal("\"name\": \"mine\"", "\"name\": 7"),
               "kernels.json:2:11: expected a text, found a number"));
  CHECK(begins(folder.refusal("\"name\": \"mine\",", "\"name\": \"mine\", \"name\": \"x\","),
               "kernels.json:2:19: \"name\" stands here a second time"));
  CHECK(begins(folder.refusal("[\"f32.f32\"],", "[\"f32.f32\"]"), "kernels.json:5:"));
  CHECK(begins(folder.refusal("]\n}\n", "]\n"), "kernels.json:"));
  CHECK_FALSE(folder.parse(""));
  CHECK_FALSE(folder.parse(std::string(200, '[')));
  CHECK(begins(folder.parse("{\"kernels\": []}").error().message, "kernels.json:1:13: the list of kernels is empty"));
}

TEST_CASE("errors of functions may have a term in |x|") {
  const Folder folder;
  const auto with = [&](const std::string& members) {
    const auto parsed = folder.parse(described("\"promises\": \"flush_subnormals\"", members));
    REQUIRE(parsed);
    return parsed.value().kernels[0].function_errors;
  };
  CHECK(with("\"function_errors\": 16") == 16);
  CHECK(with("\"function_errors\": [6, 4]") == 6 + 4 * 104);
  CHECK(with("\"function_errors\": [6, 4], \"accumulator\": \"f64\"") == 6 + 4 * 746);
  CHECK(with("\"accumulator\": \"f16\", \"function_errors\": [6, 4]") == 6 + 4 * 18);
  for (const char* wrong : {"[6]", "[6, 4, 1]", "[6, \"4\"]", "[6, -1]"})
    CHECK(begins(folder.refusal("\"promises\": \"flush_subnormals\"", std::string("\"function_errors\": ") + wrong),
                 "kernels.json:7:78: expected [a, b] for a + b"));
  CHECK(begins(folder.refusal("\"promises\": \"flush_subnormals\"", "\"function_errors\": \"3 + 2|x|\""),
               "kernels.json:7:78: expected a number of unit roundoffs, or [a, b]"));
}

TEST_CASE("a kernel's contract fixes attributes") {
  const Folder folder;
  const std::string promised = "\"promises\": \"flush_subnormals\"";
  const auto parsed = folder.parse(described(promised, "\"contract\": \"log=true\""));
  REQUIRE(parsed);
  CHECK(parsed.value().kernels[0].contract == "log=true");
  CHECK(begins(folder.refusal(promised, "\"contract\": \"log\""), "kernels.json:7:"));
}

TEST_CASE("kernels of one operation promise one arithmetic") {
  const Folder folder;
  const std::string one = described(), entry = one.substr(one.find("    {"), one.rfind("  ]") - one.find("    {") - 1);
  std::string other = entry;
  other.replace(other.find("flush_subnormals"), 16, "default_nan");
  const auto together = [&](const std::string& second) {
    return folder.parse("{\"kernels\": [\n" + entry + ",\n" + second + "]}");
  };
  CHECK(together(entry));
  const auto refused = together(other);
  REQUIRE_FALSE(refused);
  CHECK(refused.error().message.find("promises another arithmetic than that at line 2") != std::string::npos);
}

TEST_CASE("files of WebGPU have groups, and no numbers of 64 bits") {
  const Folder folder;
  CHECK(folder.parse(described(), KernelInterface::webgpu).error().message.find("unknown member") != std::string::npos);
  std::string text = described("\"global\": [\"(outer + 63) / 64 * 64\"], \"local\": [64]", "\"groups\": [\"outer\"]");
  text.replace(text.find(", {\"local\": \"4 * 64\"}"), 21, "");
  CHECK(folder.parse(text, KernelInterface::webgpu));
  CHECK(folder.parse(text, KernelInterface::vulkan));
  text.replace(text.find("{\"int\""), 6, "{\"long\"");
  CHECK(folder.parse(text, KernelInterface::vulkan));
  CHECK(
      begins(folder.parse(text, KernelInterface::webgpu).error().message, "kernels.json:6:43: unknown member 'long'"));
}

TEST_CASE("files of Vulkan have groups, and no options of a compiler") {
  const Folder folder;
  CHECK(folder.parse(described(), KernelInterface::vulkan).error().message.find("unknown member") != std::string::npos);
}

TEST_CASE("the examples' files are read") {
  const auto read =
      read_kernel_file(testing::source_directory() / "examples/gpgpu/opencl.json", KernelInterface::opencl);
  REQUIRE(read);
  CHECK(read.value().kernels.size() >= 10);
  CHECK(read_kernel_file("/nowhere/kernels.json", KernelInterface::opencl).error().kind == ErrorKind::not_found);
}
