#pragma once

#include "assay/validators/failures/problem_variations.hpp"

#include "assay/core/config.hpp"

namespace assay::inline v0::detail {

ASSAY_DETAIL_HEADER_INLINE std::vector<ProblemVariation> VaryFields::all() {
  for (std::size_t i = 0; i < fields_.size(); ++i) vary(i);
  for (std::size_t i = 0; i < fields_.size(); ++i)
    for (std::size_t j = i + 1; j < fields_.size() && j < i + 6; ++j)
      if (fields_[i].type == fields_[j].type) exchange(i, j);
  vary_families();
  return std::move(found_);
}

ASSAY_DETAIL_HEADER_INLINE void VaryFields::vary(std::size_t i) {
  const ProblemField& field = fields_[i];
  const std::string& name = field.own;
  switch (field.type) {
    case Type::boolean: {
      const bool now = field.boolean();
      propose(holds(name, "saturat")   ? special_value
              : holds(name, "rounded") ? rounding
              : now && !holds(name, "transpose") && !holds(name, "reverse") && !holds(name, "descending") ? missing_work
                                                                                                          : addressing,
              name + (now ? "_ignored" : "_assumed"), "takes " + field.name + " to be " + (now ? "false" : "true"),
              {whole(i, now ? 0 : 1)});
      return;
    }
    case Type::real: {
      const double now = field.real();
      const auto other = [&](FaultClass fault_class, const char* what, double value) {
        if (value != now) propose(fault_class, name + what, given(field, value, now), {real(i, value)});
      };
      for (const double value : {field.usual_real(), 0.0, 1.0}) other(missing_work, "_ignored", value);
      if (now != 0) other(addressing, "_inverted", 1 / now);
      other(addressing, "_complemented", 1 - now);
      other(addressing, "_negated", -now);
      for (const double factor : {2.0, 0.5}) other(addressing, "_wrong", factor * now);
      return;
    }
    case Type::whole: {
      const std::int64_t now = field.whole();
      std::vector<std::int64_t> tried{now};
      const auto other = [&](FaultClass fault_class, const std::string& kind, std::int64_t value) {
        for (const std::int64_t known : tried)
          if (known == value) return;
        tried.push_back(value);
        propose(fault_class, kind, given(field, static_cast<double>(value), static_cast<double>(now)),
                {whole(i, value)});
      };
      bool leads = false;  // to other places, rather than to less work
      for (const char* part : {"dilation", "step", "stride", "leading", "offset", "axis", "begin", "first", "position"})
        leads = leads || holds(name, part);
      for (const std::int64_t value : {field.usual_whole(), std::int64_t{0}})  // below 0 is no limit: terms too many
        other(leads ? addressing : value < 0 ? repeated_work : missing_work, name + "_ignored", value);
      other(leads ? addressing : missing_work, leads ? name + "_too_small" : "last_of_" + name + "_missing", now - 1);
      other(leads ? addressing : repeated_work, name + "_too_large", now + 1);
      if (leads) return;
      for (const std::int64_t part : {8, 16, 32, 64})
        other(missing_work, "tail_of_" + name + "_missing", now / part * part);
      for (const std::int64_t part : {8, 32}) other(repeated_work, name + "_padded", (now + part - 1) / part * part);
      return;
    }
    case Type::enumeration: {
      std::string asked;
      for (const auto& [value, text] : field.enumerators)
        if (value == field.whole()) asked = text;
      for (const auto& [value, text] : field.enumerators) {
        if (value == field.whole()) continue;
        const bool special = holds(name, "nan") || holds(name, "masked") || holds(name, "saturat"),
                   approximates = text.rfind(asked, 0) == 0 || asked.rfind(text, 0) == 0;
        propose(special                                          ? special_value
                : text == "none"                                 ? missing_work
                : approximates                                   ? precision
                : holds(name, "rounding") && holds(text, "zero") ? rounding
                                                                 : addressing,
                name + "_taken_for_" + text,
                "computes with " + field.name + " = " + text + " where " + asked + " is asked for", {whole(i, value)});
      }
      return;
    }
    case Type::format:
      for (const ElementFormat& format : {element_format<bfloat16>(), element_format<float16>()})
        if (field.format().is_float() && format.layout.precision() < field.format().layout.precision())
          propose(precision, name + "_narrowed_to_" + format.name,
                  "keeps " + field.name + " in " + format.name + " where " + field.format().name + " is promised",
                  {Change{i, 0, 0, format, {}}});
      return;
    case Type::list: {
      const std::vector<Index>& now = field.list();
      if (now.empty()) return;
      std::vector<Index> ascending;
      Index largest = 0;
      for (const Index value : now)
        ascending.push_back(static_cast<Index>(ascending.size())), largest = value > largest ? value : largest;
      propose(addressing, name + "_ignored", "takes " + name + " to be 0, 1, 2 and so on",
              {Change{i, 0, 0, {}, ascending}});
      propose(memory, name + "_ignored", "takes all of " + name + " to be " + std::to_string(largest),
              {Change{i, 0, 0, {}, std::vector<Index>(now.size(), largest)}});
      propose(memory, name + "_ignored", "works without " + name, {Change{i, 0, 0, {}, {}}});
      return;
    }
  }
}

ASSAY_DETAIL_HEADER_INLINE void VaryFields::exchange(std::size_t i, std::size_t j) {
  const ProblemField &a = fields_[i], &b = fields_[j];
  if (a.type == Type::real && a.real() != b.real())
    propose(addressing, a.own + "_and_" + b.own + "_exchanged", "exchanges " + a.name + " and " + b.name,
            {real(i, b.real()), real(j, a.real())});
  if (a.type == Type::whole && a.whole() != b.whole())
    propose(addressing, a.own + (a.family == b.family ? "_of_other_dimension" : "_and_" + b.own + "_exchanged"),
            "exchanges " + a.name + " and " + b.name, {whole(i, b.whole()), whole(j, a.whole())});
}

ASSAY_DETAIL_HEADER_INLINE void VaryFields::vary_families() {
  std::vector<std::vector<std::size_t>> families;
  for (std::size_t i = 0; i < fields_.size(); ++i) {
    if (fields_[i].type != Type::whole) continue;
    std::size_t known = 0;
    while (known < families.size() && fields_[families[known].front()].family != fields_[i].family) ++known;
    if (known == families.size()) families.emplace_back();
    families[known].push_back(i);
  }
  for (std::size_t f = 0; f < families.size(); ++f) {
    if (families[f].size() < 2) continue;
    const ProblemField& first = fields_[families[f].front()];
    std::vector<Change> usual;
    for (const std::size_t i : families[f]) usual.push_back(whole(i, fields_[i].usual_whole()));
    propose(addressing, first.own + "_ignored", "takes " + first.own + " to be what it usually is", usual);
    for (std::size_t k = 0; k + 1 < families[f].size(); ++k) {
      const std::size_t a = families[f][k], b = families[f][k + 1];
      if (fields_[a].whole() != fields_[b].whole())
        propose(addressing, first.own + "_of_other_dimension",
                "exchanges " + first.own + " of the dimensions " + std::to_string(k) + " and " + std::to_string(k + 1),
                {whole(a, fields_[b].whole()), whole(b, fields_[a].whole())});
    }
    for (std::size_t g = f + 1; g < families.size(); ++g) {
      if (families[g].size() != families[f].size()) continue;
      std::vector<Change> exchanged;
      for (std::size_t k = 0; k < families[f].size(); ++k) {
        exchanged.push_back(whole(families[f][k], fields_[families[g][k]].whole()));
        exchanged.push_back(whole(families[g][k], fields_[families[f][k]].whole()));
      }
      propose(addressing, first.own + "_and_" + fields_[families[g].front()].own + "_exchanged",
              "takes " + first.own + " for " + fields_[families[g].front()].own + " and the reverse", exchanged);
    }
  }
}

}  // namespace assay::inline v0::detail
