#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "assay/io/safetensors.hpp"
#include "assay/report/write_file.hpp"
#include "assay/suite/glob.hpp"
#include "assay/validators/quantization_page.hpp"
#include "commands.hpp"
#include "fault.hpp"
#include "printed_table.hpp"

namespace assay_program {

namespace {

void print(const assay::Table& table) {
  print_table(table);
}

std::string shape_text(const std::vector<assay::Index>& shape) {
  std::string text;
  for (const assay::Index extent : shape) text += (text.empty() ? "" : "×") + std::to_string(extent);
  return text.empty() ? "scalar" : text;
}

/// Why a tensor is not measured; empty if it is.
std::string reason_to_leave_out(const assay::SafetensorsEntry& entry) {
  switch (entry.type) {
    case assay::SafetensorsType::f64:
    case assay::SafetensorsType::f32:
    case assay::SafetensorsType::f16:
    case assay::SafetensorsType::bf16:
    case assay::SafetensorsType::f8_e4m3:
    case assay::SafetensorsType::f8_e5m2:
    case assay::SafetensorsType::f8_e4m3fnuz:
    case assay::SafetensorsType::f8_e5m2fnuz: return entry.element_count() == 0 ? "it has no elements" : "";
    case assay::SafetensorsType::c64: return "C64 holds complex numbers";
    case assay::SafetensorsType::f8_e8m0:
    case assay::SafetensorsType::f6_e2m3:
    case assay::SafetensorsType::f6_e3m2:
    case assay::SafetensorsType::f4:
      return std::string(assay::safetensors_facts(entry.type).name) +
             " holds codes or scales that are quantized already";
    default: return std::string(assay::safetensors_facts(entry.type).name) + " holds integers";
  }
}

bool is_chosen(const std::string& name, const std::vector<std::string>& globs) {
  if (globs.empty()) return true;
  for (const std::string& glob : globs)
    if (assay::glob_matches(glob, name)) return true;
  return false;
}

/// The first name or glob that describes no tensor of the file, as a sentence; empty if each describes one.
std::string unmatched(const assay::SafetensorsFile& file, const std::vector<std::string>& globs) {
  std::vector<std::string> names;
  for (const assay::SafetensorsEntry& entry : file.entries()) names.push_back(entry.name);
  for (const std::string& glob : globs) {
    bool found = false;
    for (const std::string& name : names) found = found || assay::glob_matches(glob, name);
    if (!found) {
      const auto absent = file.find(glob);
      return absent ? "" : absent.error().message;
    }
  }
  return {};
}

/// Names as people order them: layers.2 before layers.10.
bool comes_before(const std::string& left, const std::string& right) {
  const auto digit = [](char letter) { return letter >= '0' && letter <= '9'; };
  std::size_t i = 0, k = 0;
  while (i < left.size() && k < right.size()) {
    if (!digit(left[i]) || !digit(right[k])) {
      if (left[i] != right[k]) return left[i] < right[k];
      ++i, ++k;
      continue;
    }
    const auto number = [&](const std::string& text, std::size_t& at) {
      while (at + 1 < text.size() && text[at] == '0' && digit(text[at + 1])) ++at;
      const std::size_t first = at;
      while (at < text.size() && digit(text[at])) ++at;
      return text.substr(first, at - first);
    };
    const std::string a = number(left, i), b = number(right, k);
    if (a.size() != b.size()) return a.size() < b.size();
    if (a != b) return a < b;
  }
  return left.size() - i < right.size() - k;
}

/// Whether a page can be written there, found out before the work.
assay::Result<void> prove_writable(const std::string& page) {
  std::error_code code;
  const std::string probe = page + ".assay-probe";
  if (std::filesystem::exists(page, code)) {
    if (std::filesystem::is_directory(page, code))
      return assay::failure(assay::ErrorKind::io, "'" + page + "' is a folder; name a file in it");
    if (!std::filesystem::is_regular_file(page, code)) return {};  // a device or a pipe
  }
  const auto written = assay::write_file(probe, "");
  std::filesystem::remove(probe, code);
  return written;
}

/// Tells on a terminal which tensor is being measured; an empty name clears the line.
void show_progress(std::size_t number, std::size_t count, const std::string& name) {
  if (::isatty(STDERR_FILENO) == 0) return;
  std::fprintf(stderr, "\r\x1b[K");
  if (!name.empty())
    std::fprintf(stderr, "%zu/%zu %s", number, count, assay::clipped(assay::visible(name), 60).c_str());
  std::fflush(stderr);
}

}  // namespace

int quantize_report(const CommandLine& line) {
  auto schemes = assay::quantization_schemes_named(line.schemes);
  if (!schemes) return fault(schemes.error().message);
  const auto file = assay::open_safetensors(line.weights);
  if (!file) return fault(file.error().message);
  if (const std::string trouble = unmatched(file.value(), line.tensors); !trouble.empty()) return fault(trouble);
  if (!line.page.empty())
    if (const auto proved = prove_writable(line.page); !proved) return fault("--out: " + proved.error().message);

  assay::QuantizationReport report;
  report.source = line.weights;
  report.command = line.text;
  report.schemes = std::move(schemes).value();
  assay::ThreadPool pool;
  for (const assay::SafetensorsEntry& entry : file.value().entries()) {
    if (!is_chosen(entry.name, line.tensors)) continue;
    if (const std::string reason = reason_to_leave_out(entry); !reason.empty()) {
      report.left_out.push_back(entry.name + ": " + reason);
      continue;
    }
    show_progress(report.tensors.size() + report.left_out.size() + 1, file.value().entries().size(), entry.name);
    // A vector is one channel; of anything else, the first dimension counts them.
    const assay::Index rows = entry.shape.size() < 2 ? 1 : entry.shape.front();
    auto quality = assay::measure_quantization(
        report.schemes, rows, entry.element_count() / rows,
        [&](assay::Index first, assay::Index count, double* values) {
          return file.value().read_values(entry, first, count, values);
        },
        pool);
    show_progress(0, 0, {});
    if (!quality) return fault(quality.error().message);
    report.tensors.push_back(
        {entry.name, assay::safetensors_facts(entry.type).name, shape_text(entry.shape), std::move(quality).value()});
  }
  std::sort(report.tensors.begin(), report.tensors.end(),
            [](const auto& left, const auto& right) { return comes_before(left.name, right.name); });
  if (report.tensors.empty()) {
    for (const std::string& left_out : report.left_out) std::printf("left out: %s\n", assay::visible(left_out).c_str());
    return fault(line.weights + ": no tensor of floating-point numbers was chosen; nothing was measured");
  }

  constexpr std::size_t widest_matrix = 6;
  if (report.tensors.size() == 1) {
    const auto& tensor = report.tensors.front();
    std::printf("%s, %s %s\n\n", assay::visible(tensor.name).c_str(), tensor.type.c_str(), tensor.shape.c_str());
    print(assay::quantization_table(report, tensor));
  } else {
    std::printf("%zu tensors\n\n", report.tensors.size());
    print(assay::quantization_table(report));
    if (report.schemes.size() <= widest_matrix) {
      std::printf("\nSQNR in dB of each tensor\n\n");
      print(assay::quantization_matrix(report));
    }
    std::printf("\n* no other format here is better on the median in as few bits, or as good in fewer\n");
  }
  if (!report.left_out.empty())
    std::printf("\nleft out: %zu of %zu tensors\n", report.left_out.size(),
                report.left_out.size() + report.tensors.size());
  for (const std::string& left_out : report.left_out) std::printf("  %s\n", assay::visible(left_out).c_str());
  if (line.page.empty()) return 0;
  if (const auto written = assay::write_file(line.page, assay::quantization_page(report)); !written)
    return fault(written.error().message);
  std::printf("\nreport: %s\n", line.page.c_str());
  return 0;
}

}  // namespace assay_program
