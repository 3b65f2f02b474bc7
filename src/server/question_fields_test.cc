// The declared fields of a question against what says the same elsewhere.
#include "index/asking/question_fields.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "base/lines.h"
#include "retrieval/score.h"
#include "server/assets.h"
#include "server/http_error.h"
#include "server/search_request.h"

namespace hinny {
namespace {

using nlohmann::json;
using testing::HasSubstr;

// As programs see a field: over HTTP in a URL or form (flags are 0 or 1), or in JSON.
enum class Form { text, json };

struct Schema {
  const QuestionField& field;
  Form form;

  json texts() const {
    const json list = {{"type", "array"}, {"items", {{"type", "string"}}}};
    return {{"oneOf", {{{"type", "string"}}, list}}};
  }
  json operator()(const std::vector<std::string>&) const { return texts(); }
  json operator()(const std::string& standard) const {
    if (field.choices.empty()) return {{"type", "string"}};
    return {{"type", "string"}, {"enum", field.choices}, {"default", standard}};
  }
  json operator()(bool standard) const {
    if (form == Form::json) return {{"type", "boolean"}, {"default", standard}};
    return {{"type", "integer"}, {"enum", {0, 1}}, {"default", standard ? 1 : 0}};
  }
  json operator()(std::size_t standard) const {
    return {{"type", "integer"},
            {"minimum", field.over_http.least},
            {"maximum", field.over_http.most},
            {"default", standard}};
  }
  json operator()(double) const { return {{"type", "number"}}; }  // no bound by default
  json operator()(float standard) const {
    return {{"type", "number"},
            {"exclusiveMinimum", field.over_http.least},
            {"maximum", field.over_http.most},
            {"default", standard}};
  }
  json operator()(const std::vector<GivenPicture>&) const {
    return {{"type", "string"}, {"format", form == Form::json ? "byte" : "binary"}};
  }
};

json schema_of(const QuestionField& field, Form form) {
  const AskedFields fresh;
  return std::visit(
      [&](const auto member) {
        return Schema{field, form}(fresh.*member);
      },
      field.member);
}

bool is_picture(const QuestionField& field) {
  return std::holds_alternative<std::vector<GivenPicture> AskedFields::*>(field.member);
}

json search_api(const char* pointer) {
  return json::parse(assets().at("openapi.json"))["paths"]["/v1/search"].at(
      json::json_pointer(pointer));
}

TEST(QuestionFields, OpenApiHasTheSamePropertiesInJsonAndForms) {
  for (const auto& [type, form] :
       {std::pair{"application/json", Form::json}, {"multipart/form-data", Form::text}}) {
    json properties = search_api("/post/requestBody/content")[type]["schema"]["properties"];
    for (const QuestionField& field : question_fields()) {
      json wanted = schema_of(field, form);
      wanted["description"] = field.meaning;
      EXPECT_EQ(properties[std::string(field.name)], wanted) << type << " " << field.name;
      properties.erase(std::string(field.name));
    }
    EXPECT_TRUE(properties.empty()) << properties.dump();
  }
}

TEST(QuestionFields, OpenApiHasTheSameParametersInTheUrl) {
  std::map<std::string, json> parameters;
  for (const json& parameter : search_api("/get/parameters")) {
    parameters[parameter["name"]] = parameter;
  }
  for (const QuestionField& field : question_fields()) {
    if (is_picture(field)) continue;  // no URL holds a file
    const std::string name(field.name);
    json wanted = schema_of(field, Form::text);
    if (wanted.contains("oneOf")) wanted = wanted["oneOf"][1];  // given again for several
    ASSERT_TRUE(parameters.contains(name)) << name;
    EXPECT_EQ(parameters[name]["schema"], wanted) << name;
    EXPECT_EQ(parameters[name]["description"], field.meaning) << name;
    parameters.erase(name);
  }
  EXPECT_TRUE(parameters.empty()) << parameters.begin()->first;
}

// A row of the table in docs/http-api.md: | `name`, ... | what | defaults |
struct DocumentedRow {
  std::string names, what, standards;
};

std::vector<DocumentedRow> documented_rows() {
  std::vector<DocumentedRow> rows;
  bool inside = false;
  for_each_line(HINNY_SOURCE "/docs/http-api.md", [&](std::string_view line, std::size_t) {
    if (line.starts_with("| field |")) inside = true;
    if (!line.starts_with("|")) inside = false;
    if (!inside || !line.starts_with("| `")) return;
    std::istringstream cells{std::string(line.substr(1))};
    DocumentedRow row;
    std::getline(cells, row.names, '|');
    std::getline(cells, row.what, '|');
    std::getline(cells, row.standards, '|');
    rows.push_back(row);
  });
  return rows;
}

struct Standard {
  const QuestionField& field;

  std::string operator()(const std::vector<std::string>&) const { return ""; }
  std::string operator()(const std::vector<GivenPicture>&) const { return ""; }
  std::string operator()(const std::string& standard) const {
    return field.name == "lang" ? "guessed" : standard;
  }
  std::string operator()(bool standard) const { return standard ? "1" : "0"; }
  std::string operator()(double) const { return ""; }
  template <typename Number>
  std::string operator()(Number number) const {
    return fmt::format("{}", number);
  }
};

TEST(QuestionFields, TheDocumentationListsThemWithTheirDefaultsAndRanges) {
  const std::vector<DocumentedRow> rows = documented_rows();
  const AskedFields fresh;
  std::size_t documented = 0;
  for (const DocumentedRow& row : rows) documented += std::ranges::count(row.names, '`') / 2;
  EXPECT_EQ(documented, question_fields().size());
  for (const QuestionField& field : question_fields()) {
    const auto row = std::ranges::find_if(rows, [&](const DocumentedRow& one) {
      return one.names.find(fmt::format("`{}`", field.name)) != std::string::npos;
    });
    ASSERT_NE(row, rows.end()) << field.name;
    const std::string standard =
        std::visit([&](const auto member) { return Standard{field}(fresh.*member); }, field.member);
    EXPECT_EQ(row->standards, standard.empty() ? " " : " " + standard + " ") << field.name;
    const auto [least, most] = field.over_http;
    for (const std::string_view choice : field.choices) {
      EXPECT_THAT(row->what, HasSubstr(fmt::format("`{}`", choice))) << field.name;
    }
    if (most > 0) {
      const bool weighs = std::holds_alternative<float AskedFields::*>(field.member);
      const std::string range = weighs ? fmt::format("above {}, {} at most", least, most)
                                       : fmt::format("{} to {}", least, most);
      EXPECT_THAT(row->what, HasSubstr(range)) << field.name;
    }
  }
}

// Ends of a range are taken, but for a weight's least, and what lies beyond is refused, in a URL as
// in JSON.
TEST(QuestionFields, HttpTakesWhatLiesInTheirRanges) {
  const auto taken = [](std::string_view name, double number) {
    const UrlFields params = {{"q", "a"}, {std::string(name), fmt::format("{}", number)}};
    const json body = {{"q", "a"}, {name, number}};
    try {
      search_from_url(params);
      search_from_json(body.dump());
      return true;
    } catch (const HttpError& error) {
      EXPECT_EQ(error.status(), 400);
      EXPECT_THROW(search_from_json(body.dump()), HttpError);
      return false;
    }
  };
  for (const QuestionField& field : question_fields()) {
    const auto [least, most] = field.over_http;
    if (most == 0) continue;
    EXPECT_TRUE(taken(field.name, most)) << field.name;
    EXPECT_FALSE(taken(field.name, most + 1)) << field.name;
    const bool weighs = std::holds_alternative<float AskedFields::*>(field.member);
    EXPECT_EQ(taken(field.name, least), !weighs) << field.name;
    EXPECT_FALSE(taken(field.name, least - 1)) << field.name;
  }
}

TEST(QuestionFields, HttpTakesTheirChoicesAlone) {
  const auto by_url = [](const std::string& name, const std::string& value) {
    return shared_question(search_from_url({{"q", "a"}, {name, value}}).fields);
  };
  const auto by_json = [](const std::string& name, const json& value) {
    return shared_question(search_from_json(json{{"q", "a"}, {name, value}}.dump()).fields);
  };
  for (const QuestionField& field : question_fields()) {
    if (field.choices.empty()) continue;
    const std::string name(field.name);
    for (const std::string_view choice : field.choices) {
      EXPECT_NO_THROW(by_url(name, std::string(choice))) << choice;
      EXPECT_NO_THROW(by_json(name, choice)) << choice;
    }
    for (const char* wrong : {"", "none", "Score", "time "}) {
      EXPECT_THROW(by_url(name, wrong), RequestError) << wrong;
      EXPECT_THROW(by_json(name, wrong), RequestError) << wrong;
    }
    EXPECT_THROW(by_json(name, 1), HttpError);
  }
}

// What many questions compare is bounded; what one compares by default stays its model's choice.
TEST(QuestionFields, ManyQuestionsCompareNoMoreThanOneMay) {
  const auto compared = [](std::size_t questions, const char* rerank, std::size_t standard) {
    UrlFields params;
    if (*rerank != '\0') params.emplace_back("rerank", rerank);
    for (std::size_t i = 0; i < questions; ++i) params.emplace_back("q", "a");
    const SearchRequest request = search_from_url(params);
    Question question = shared_question(request.fields);
    question.most_compared = request.most_compared;
    return question.compared(standard);
  };
  EXPECT_EQ(compared(1, "10000", kReranked), 10'000U);
  EXPECT_EQ(compared(20, "10000", kReranked), 500U);
  EXPECT_EQ(compared(20, "300", kReranked), 300U);
  EXPECT_EQ(compared(20, "", kReranked), kReranked);
  EXPECT_EQ(compared(20, "", kCompared), 500U);
  EXPECT_EQ(compared(1, "", kCompared), kCompared);
}

// One request asks for no more than a server can do at once.
TEST(QuestionFields, HttpBoundsHowManyThereAre) {
  const auto refused = [](const UrlFields& params, const char* why) {
    EXPECT_THAT([&] { search_from_url(params); },
                testing::ThrowsMessage<HttpError>(HasSubstr(why)));
  };
  const auto many = [](const char* name, int count) {
    UrlFields params = {{"q", "a"}};
    for (int i = 0; i < count; ++i) params.emplace_back(name, "en=a");
    return params;
  };
  for (const char* name : {"also", "like", "not"}) {
    EXPECT_NO_THROW(search_from_url(many(name, 64))) << name;
    refused(many(name, 65), "more than 64 texts or images");
  }
  EXPECT_NO_THROW(search_from_url(many("q", 63)));
  refused(many("q", 64), "more than 64 texts or images");
  UrlFields translated = many("q", 7);
  translated.emplace_back("translate", "1");
  EXPECT_NO_THROW(search_from_url(translated));
  translated.emplace_back("q", "b");
  refused(translated, "more than 8 q to translate");
  refused({{"q", "a"}, {"image", "bytes"}}, "unknown field 'image'");  // no URL holds a file
  const auto refused_json = [](const json& body, const char* why) {
    EXPECT_THAT([&] { search_from_json(body.dump()); },
                testing::ThrowsMessage<HttpError>(HasSubstr(why)));
  };
  refused_json({{"q", std::vector<std::string>(65, "a")}}, "q: 65 strings (expected at most 64)");
  refused_json({{"q", json::array()}, {"x", std::vector<int>(5000)}}, "too many values");
  refused_json({{"image", "http://localhost/a.jpg"}}, "an address, which is not fetched");
}

TEST(QuestionFields, NamesAndOptionsAreTheirOwn) {
  std::set<std::string_view> names;
  for (const QuestionField& field : question_fields()) {
    EXPECT_TRUE(names.insert(field.name).second) << field.name;
    EXPECT_TRUE(names.insert(field.option).second) << field.option;
    EXPECT_EQ(question_field(field.name), &field);
  }
  EXPECT_EQ(question_field("top"), nullptr);
}

}  // namespace
}  // namespace hinny
