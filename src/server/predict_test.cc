// A model without a collection, asked as a photo server asks its machine-learning container. The
// forms are what Node's fetch makes of the requests in immich's source.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "server/http_error.h"
#include "server/predict_request.h"
#include "server/served_model_fixture.h"

namespace hinny {
namespace {

using nlohmann::json;
using testing::HasSubstr;

constexpr const char* kVisual = R"({"clip":{"visual":{"modelName":"ViT-B-32__openai"}}})";
constexpr const char* kTextual = R"({"clip":{"textual":{"modelName":"ViT-B-32__openai"}}})";

class PredictTest : public ServedModelTest {
 protected:
  static std::string textual(const std::string& language) {
    return json{
        {"clip",
         {{"textual", {{"modelName", "XLM-Roberta-Base"}, {"options", {{"language", language}}}}}}}}
        .dump();
  }
  // The vector, which is JSON within the JSON.
  static std::vector<float> clip_of(const HttpAnswer& answer) {
    const json said = checked(answer, 200, "predict");
    return json::parse(said.at("clip").get<std::string>()).get<std::vector<float>>();
  }
};

TEST_F(PredictTest, ASentenceHasItsVector) {
  const HttpAnswer answer = predict(kTextual, "text", "a dog");
  EXPECT_EQ(clip_of(answer), vector_of("a dog"));
  EXPECT_EQ(answer.header("Content-Type"), "application/json");
  EXPECT_EQ(json::parse(answer.body).size(), 1U);
}

TEST_F(PredictTest, APictureHasItsVectorAndItsSize) {
  const HttpAnswer answer = predict(kVisual, "image", picture, true);
  EXPECT_EQ(clip_of(answer), vector_of(data_url(picture)));
  const json said = json::parse(answer.body);
  EXPECT_EQ(said["imageWidth"], 80);
  EXPECT_EQ(said["imageHeight"], 40);
}

TEST_F(PredictTest, TheLanguageOfThePageDecidesBetweenThoseThatFitEquallyWell) {
  const auto in = [&](const char* language) {
    return embed(json{{"input", "zzz am"}, {"language", language}}.dump())["data"][0]["embedding"]
        .get<std::vector<float>>();
  };
  ASSERT_NE(in("de"), in("en"));
  // Languages with the same words at the same places of their vocabularies.
  ModelFixture equal;
  equal.vocabularies["en"] = equal.vocabularies["de"];
  const auto encoder = make_builtin_encoder();
  equal.config["features"]["names"] = encoder->name();
  equal.config["features"]["parts"] = {{{"name", encoder->name()}, {"dim", encoder->row_size()}}};
  equal.add("features.mean", {encoder->row_size()});
  equal.add("features.scale", {encoder->row_size()});
  equal.add("image.fc.weight", {19, encoder->row_size()});
  equal.add("text_en.words", {equal.vocabularies["en"].size(), 5});
  equal.write(folder / "equal");
  const Embedder embedder(folder / "equal", {});
  EXPECT_EQ(embedder.guessed_language("strand", "en"), "en");
  EXPECT_EQ(embedder.guessed_language("strand", "en_GB"), "en");
  EXPECT_EQ(embedder.guessed_language("strand", "de"), "de");
  EXPECT_EQ(embedder.guessed_language("strand", "zh_SIMPLIFIED"), "de");
  EXPECT_EQ(embedder.guessed_language("strand", ""), "de");
}

TEST_F(PredictTest, TheWordsSayTheLanguageWhateverThePageIsIn) {
  for (const char* page : {"zh_SIMPLIFIED", "", "de", "en", "no code"}) {
    EXPECT_EQ(clip_of(predict(textual(page), "text", "the dog")), vector_of("the dog")) << page;
  }
  EXPECT_EQ(clip_of(predict(R"({"clip":{"textual":{"modelName":"x","options":{"language":null}}}})",
                            "text", "the dog")),
            vector_of("the dog"));
}

TEST_F(PredictTest, AFormWithoutAFileMayComeAsBrowsersSendIt) {
  const HttpAnswer answer = client.post(
      "/predict",
      "entries=%7B%22clip%22%3A%7B%22textual%22%3A%7B%22modelName%22%3A%22x%22%7D%7D%7D&text=a+dog",
      "application/x-www-form-urlencoded");
  EXPECT_EQ(clip_of(answer), vector_of("a dog"));
}

TEST_F(PredictTest, OtherTasksAreNotDone) {
  for (const std::string task : {"facial-recognition", "ocr"}) {
    const std::string entries =
        R"({")" + task + R"(":{"detection":{"modelName":"buffalo_l","options":{"minScore":0.7}},)" +
        R"("recognition":{"modelName":"buffalo_l"}}})";
    const json said = checked(predict(entries, "image", picture, true), 501, task);
    EXPECT_THAT(said.dump(), HasSubstr("the task '" + task + "' is not done here"));
  }
  const std::string both = R"({"clip":{"visual":{}},"ocr":{"detection":{}}})";
  checked(predict(both, "image", picture, true), 501, both);
}

TEST_F(PredictTest, OddFormsAreRefused) {
  const std::string image = "image", text = "text";
  for (const auto& [entries, name, value, says] :
       std::vector<std::tuple<std::string, std::string, std::string, std::string>>{
           {kVisual, text, "a dog", "image is missing"},
           {kTextual, image, picture, "text is missing"},
           {kTextual, text, "", "text: empty"},
           {kTextual, text, std::string(1001, 'a'), "1001 characters"},
           {kTextual, text, "\xff", "UTF-8"},
           {kTextual, text, "zzz", "the model knows no word"},
           {kVisual, image, "", "the file is empty"},
           {kVisual, image, "no picture", "expected JPEG"},
           {"", text, "a dog", "not valid JSON"},
           {"{", text, "a dog", "not valid JSON"},
           {"[]", text, "a dog", "no JSON object"},
           {"{}", text, "a dog", "no task"},
           {R"({"clip":3})", text, "a dog", "clip is number"},
           {R"({"clip":{}})", text, "a dog", "expected visual or textual"},
           {R"({"clip":{"textual":null}})", text, "a dog", "textual is null"},
           {R"({"clip":{"textual":{"options":{"language":3}}}})", text, "a dog",
            "language: number"},
           {R"({"clip":{"textual":{"options":[]}}})", text, "a dog", "options is array"},
           {R"({"clip":{"visual":{},"textual":{}}})", text, "a dog", "expected visual or textual"},
           {std::string(5000, '['), text, "a dog", "JSON"}}) {
    const json said = checked(predict(entries, name, value), 400, entries);
    EXPECT_THAT(said.dump(), HasSubstr(says)) << entries.substr(0, 100);
  }
  const std::string both =
      "--b\r\nContent-Disposition: form-data; name=\"entries\"\r\n\r\n" + std::string(kTextual) +
      "\r\n--b\r\nContent-Disposition: form-data; name=\"text\"\r\n\r\na dog" +
      "\r\n--b\r\nContent-Disposition: form-data; name=\"image\"\r\n\r\nx\r\n--b--\r\n";
  EXPECT_THAT(
      checked(client.post("/predict", both, "multipart/form-data; boundary=b"), 400, both).dump(),
      HasSubstr("both text and image"));
  for (const char* type : {"application/json", "multipart/form-data", "text/plain"}) {
    checked(client.post("/predict", R"({"clip":{}})", type), 400, type);
  }
  EXPECT_THAT(checked(client.post("/predict", "text=a", "application/x-www-form-urlencoded"), 400,
                      "no entries")
                  .dump(),
              HasSubstr("entries are missing"));
  EXPECT_EQ(clip_of(predict(kTextual, "text", "a dog")), vector_of("a dog"));  // and it answers
}

}  // namespace
}  // namespace hinny
