#pragma once

#include "assay/hardware/memory/march_test.hpp"

#include <optional>

#include "assay/core/config.hpp"
#include "assay/core/nearest_name.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE std::size_t MarchTest::operations_per_word() const {
  std::size_t count = 0;
  for (const MarchElement& element : elements) count += element.operations.size();
  return count;
}

ASSAY_DETAIL_HEADER_INLINE std::string MarchTest::text() const {
  std::string text = "{";
  for (const MarchElement& element : elements) {
    if (text.size() > 1) text += "; ";
    if (element.pause()) {
      text += "Del";
      continue;
    }
    text += element.order == AddressOrder::any ? "⇕(" : element.order == AddressOrder::ascending ? "⇑(" : "⇓(";
    for (std::size_t i = 0; i < element.operations.size(); ++i) {
      if (i > 0) text += ',';
      text += element.operations[i].write ? 'w' : 'r';
      text += element.operations[i].inverted ? '1' : '0';
    }
    text += ')';
  }
  return text + "}";
}

namespace detail {

/// Why a test cannot be run; empty: it can.
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::string why_no_march(const MarchTest& test) {
  std::optional<bool> held;
  for (std::size_t i = 0; i < test.elements.size(); ++i)
    for (const MarchOperation& operation : test.elements[i].operations) {
      const std::string where = "element " + std::to_string(i + 1) + " reads " + (operation.inverted ? "r1" : "r0");
      if (operation.write)
        held = operation.inverted;
      else if (!held)
        return where + " before anything was written; begin with w0 or w1";
      else if (*held != operation.inverted)
        return where + " where the word holds " + (*held ? "1" : "0");
    }
  return held ? "" : "it writes nothing; give at least one element with operations, such as ⇕(w0)";
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE Result<MarchTest> parse_march(std::string name, std::string_view text) {
  MarchTest test{std::move(name), {}};
  std::size_t at = 0;
  const auto skip = [&] {
    while (at < text.size() && std::string_view(" \t;{}").find(text[at]) != std::string_view::npos) ++at;
  };
  const auto take = [&](std::string_view word) {
    const bool there = text.substr(at, word.size()) == word;
    if (there) at += word.size();
    return there;
  };
  const auto refuse = [&](const std::string& expected) {
    return failure(ErrorKind::malformed,
                   "march test '" + test.name + "': at byte " + std::to_string(at) + " of '" + std::string(text) +
                       "' " + expected +
                       " was expected; an element is ⇕, ⇑ or ⇓ (or *, ^, v) and operations, as in "
                       "^(r0,w1)");
  };
  for (skip(); at < text.size(); skip()) {
    MarchElement element;
    if (take("Del")) {
      test.elements.push_back(element);
      continue;
    }
    if (take("⇑") || take("^"))
      element.order = AddressOrder::ascending;
    else if (take("⇓") || take("v"))
      element.order = AddressOrder::descending;
    else if (!take("⇕") && !take("*"))
      return refuse("an order");
    if (!take("(")) return refuse("'('");
    do {
      MarchOperation operation;
      operation.write = take("w");
      if (!operation.write && !take("r")) return refuse("r or w");
      operation.inverted = take("1");
      if (!operation.inverted && !take("0")) return refuse("0 or 1");
      element.operations.push_back(operation);
    } while (take(","));
    if (!take(")")) return refuse("',' or ')'");
    test.elements.push_back(std::move(element));
  }
  if (const std::string why = detail::why_no_march(test); !why.empty())
    return failure(ErrorKind::invalid, "march test '" + test.name + "': " + why);
  return test;
}

ASSAY_DETAIL_HEADER_INLINE const std::vector<MarchTest>& all_march_tests() {
  static const std::vector<MarchTest> tests = [] {
    using enum BackgroundSet;
    struct Form {
      const char *name, *text;
      BackgroundSet backgrounds;
    };
    constexpr Form forms[] = {
        {"mats+", "*(w0); ^(r0,w1); v(r1,w0)", by_width},
        {"march_x", "*(w0); ^(r0,w1); v(r1,w0); *(r0)", by_width},
        {"march_y", "*(w0); ^(r0,w1,r1); v(r1,w0,r0); *(r0)", by_width},
        {"march_a", "*(w0); ^(r0,w1,w0,w1); ^(r1,w0,w1); v(r1,w0,w1,w0); v(r0,w1,w0)", by_width},
        {"march_b", "*(w0); ^(r0,w1,r1,w0,r0,w1); ^(r1,w0,w1); v(r1,w0,w1,w0); v(r0,w1,w0)", by_width},
        {"march_c-", "*(w0); ^(r0,w1); ^(r1,w0); v(r0,w1); v(r1,w0); *(r0)", by_width},
        {"march_ss", "*(w0); ^(r0,r0,w0,r0,w1); ^(r1,r1,w1,r1,w0); v(r0,r0,w0,r0,w1); v(r1,r1,w1,r1,w0); *(r0)",
         by_width},
        {"march_lr", "*(w0); v(r0,w1); ^(r1,w0,r0,w1); ^(r1,w0); ^(r0,w1,r1,w0); ^(r0)", by_width},
        {"moving_inversions", "*(w0); ^(r0,w1); ^(r1); *(w1); ^(r1,w0); ^(r0)", by_width},
        {"checkerboard", "*(w0); *(r0); *(w1); *(r1)", alternating},
        {"walking_ones", "*(w0); *(r0)", walking},
        {"walking_zeros", "*(w1); *(r1)", walking},
        {"own_address", "^(w0); ^(r0); v(w1); v(r1)", addresses},
        {"random", "*(w0); ^(r0,w1); v(r1,w0); *(r0)", random_words},
        {"bit_fade", "*(w0); Del; *(r0); *(w1); Del; *(r1)", solid}};
    std::vector<MarchTest> made;
    for (const Form& form : forms) {
      made.push_back(parse_march(form.name, form.text).value());
      made.back().backgrounds = form.backgrounds;
    }
    return made;
  }();
  return tests;
}

ASSAY_DETAIL_HEADER_INLINE Result<MarchTest> march_named(std::string_view name) {
  std::vector<std::string> names;
  for (const MarchTest& test : all_march_tests()) {
    if (test.name == name) return test;
    names.push_back(test.name);
  }
  return failure(ErrorKind::not_found, unknown_name("march test", std::string(name), names));
}

}  // namespace assay::inline v0
