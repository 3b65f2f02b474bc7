// What strangers' folders may hold: each is refused in one line that names the file and what is
// wrong.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>
#include <sstream>

#include "base/atomic_file.h"
#include "base/error.h"
#include "base/safetensors.h"
#include "base/temporary_folder.h"
#include "pretrained/family.h"
#include "pretrained/networks_of.h"
#include "pretrained/pretrained_bundle.h"

namespace hinny {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::HasSubstr;

const fs::path kTinyFolders = fs::path(HINNY_SOURCE) / "tests/pretrained/folders";

// A copy of one of them that a test may break.
class BadFolders : public testing::Test {
 protected:
  fs::path copy(const std::string& name) {
    const fs::path to = made_.path() / name;
    fs::copy(kTinyFolders / name, to, fs::copy_options::recursive);
    return to;
  }
  static void change(const fs::path& file, const std::function<void(json&)>& how) {
    std::ifstream in(file);
    json root = json::parse(in);
    how(root);
    write_file(file, root.dump());
  }
  // The weights with one tensor left out, or others in its place.
  static void rewrite(const fs::path& file,
                      const std::function<void(std::map<std::string, TensorView>&)>& how) {
    const fs::path old = file.string() + ".old";
    fs::rename(file, old);
    const SafetensorsFile source = SafetensorsFile::open(old);
    std::map<std::string, TensorView> tensors = source.tensors();
    how(tensors);
    write_safetensors(file, tensors);
    fs::remove(old);
  }
  std::string message(const fs::path& folder, PretrainedInput input = {}) {
    try {
      write_pretrained_bundle(folder, input, made_.path() / "out");
    } catch (const InputError& error) {
      EXPECT_FALSE(fs::exists(made_.path() / "out"));
      return error.what();
    }
    return "nothing wrong";
  }
  TemporaryFolder made_;
};

TEST_F(BadFolders, AnUnknownArchitectureIsNamedWithWhatIsKnown) {
  const fs::path folder = copy("clip");
  change(folder / "config.json", [](json& root) { root["model_type"] = "blip"; });
  EXPECT_THAT(message(folder), AllOf(HasSubstr("'blip' is not supported"), HasSubstr("siglip")));
}

TEST_F(BadFolders, PickledWeightsAreNotRead) {
  const fs::path folder = copy("clip");
  fs::rename(folder / "model.safetensors", folder / "pytorch_model.bin");
  EXPECT_THAT(message(folder), AllOf(HasSubstr("pickled weights"), HasSubstr("save_file")));
}

TEST_F(BadFolders, TowersAsNetworksAlone) {
  const fs::path of_a_browser = copy("clip");
  fs::remove(of_a_browser / "model.safetensors");
  fs::create_directory(of_a_browser / "onnx");
  write_file(of_a_browser / "onnx/text_model.onnx", "");
  EXPECT_THAT(message(of_a_browser),
              AllOf(HasSubstr("clip/onnx: towers as ONNX networks are not supported"),
                    HasSubstr("safetensors")));
  const fs::path of_a_server = made_.path() / "server";
  fs::create_directories(of_a_server / "visual");
  write_file(of_a_server / "config.json", R"({"embed_dim": 512})");
  write_file(of_a_server / "visual/model.onnx", "");
  EXPECT_TRUE(is_pretrained_folder(of_a_server));
  EXPECT_THAT(message(of_a_server), HasSubstr("visual/model.onnx: towers as ONNX networks"));
}

TEST_F(BadFolders, AMissingTensorIsNamed) {
  const fs::path folder = copy("clip");
  rewrite(folder / "model.safetensors",
          [](auto& tensors) { tensors.erase("text_model.encoder.layers.1.mlp.fc2.weight"); });
  EXPECT_THAT(message(folder), HasSubstr("no tensor 'text_model.encoder.layers.1.mlp.fc2.weight'"));
}

TEST_F(BadFolders, ATensorOfAnotherShapeIsNamedWithBoth) {
  const fs::path folder = copy("clip");
  rewrite(folder / "model.safetensors", [](auto& tensors) {
    tensors["text_model.final_layer_norm.bias"] = tensors["visual_projection.weight"];
  });
  EXPECT_THAT(message(folder),
              AllOf(HasSubstr("'text_model.final_layer_norm.bias' is ["), HasSubstr("expected [")));
}

TEST_F(BadFolders, NotANumberIsNamed) {
  const fs::path folder = copy("clip");
  const std::vector<float> bad(20, std::numeric_limits<float>::quiet_NaN());
  rewrite(folder / "model.safetensors", [&](auto& tensors) {
    TensorView& bias = tensors["vision_model.post_layernorm.bias"];
    bias.bytes = std::as_bytes(std::span(bad)).first(static_cast<std::size_t>(bias.size()) * 4);
    bias.type = TensorType::float32;
  });
  EXPECT_THAT(message(folder),
              AllOf(HasSubstr("vision_model.post_layernorm.bias"), HasSubstr("not finite")));
}

TEST_F(BadFolders, ATokenizerThatDoesNotFitTheVocabulary) {
  const fs::path folder = copy("clip");
  rewrite(folder / "model.safetensors", [](auto& tensors) {
    TensorView& tokens = tensors["text_model.embeddings.token_embedding.weight"];
    const std::size_t row = tokens.bytes.size() / static_cast<std::size_t>(tokens.shape[0]);
    tokens.shape[0] = 100;
    tokens.bytes = tokens.bytes.first(100 * row);
  });
  EXPECT_THAT(message(folder), HasSubstr("at most 100"));
}

TEST_F(BadFolders, AShardThatIsAbsentOrElsewhere) {
  const fs::path folder = copy("xlm_r_sharded");
  std::string first;
  change(folder / "model.safetensors.index.json",
         [&](json& root) { first = root["weight_map"].begin()->get<std::string>(); });
  fs::remove(folder / first);
  EXPECT_THAT(message(folder), AllOf(HasSubstr(first), HasSubstr("no such file")));
  change(folder / "model.safetensors.index.json",
         [&](json& root) { root["weight_map"].begin().value() = "../clip/model.safetensors"; });
  EXPECT_THAT(message(folder), HasSubstr("a file of this folder"));
}

TEST_F(BadFolders, TowersThatAreAloneOrDoNotGoTogether) {
  EXPECT_THAT(message(kTinyFolders / "dinov2"), HasSubstr("reads no sentences"));
  EXPECT_THAT(message(kTinyFolders / "xlm_r"), HasSubstr("--vision"));
  PretrainedInput input;
  input.pictures = kTinyFolders / "clip";
  EXPECT_THAT(message(kTinyFolders / "xlm_r", input), HasSubstr("the two towers of one model"));
}

TEST_F(BadFolders, AFolderWithoutWhatSaysHowPicturesArePrepared) {
  const fs::path folder = copy("siglip");
  fs::remove(folder / "preprocessor_config.json");
  EXPECT_THAT(message(folder), HasSubstr("preprocessor_config.json"));
}

TEST_F(BadFolders, SizesThatDoNotFit) {
  fs::path folder = copy("clip");
  change(folder / "config.json",
         [](json& root) { root["text_config"]["num_attention_heads"] = 3; });
  EXPECT_THAT(message(folder), HasSubstr("heads"));
  folder = copy("siglip");
  change(folder / "preprocessor_config.json", [](json& root) { root["size"]["height"] = 32; });
  EXPECT_THAT(message(folder), HasSubstr("no square"));
  change(folder / "preprocessor_config.json", [](json& root) { root["size"]["width"] = 32; });
  EXPECT_THAT(message(folder), HasSubstr("16 x 16, which the network sees"));
}

TEST_F(BadFolders, ConfigurationsThatAreNoneAreRefused) {
  for (const char* text :
       {"", "{", "[]", "null", "{\"model_type\": 3}", "{\"model_type\": \"clip\"}",
        "{\"model_type\": \"clip\", \"text_config\": [1]}",
        "{\"model_type\": \"clip\", \"vision_config\": {\"patch_size\": -4}}",
        "{\"model_type\": \"clip\", \"vision_config\": {\"patch_size\": 4000000000}}"}) {
    const fs::path folder = made_.path() / "broken";
    fs::remove_all(folder);
    fs::copy(kTinyFolders / "clip", folder, fs::copy_options::recursive);
    write_file(folder / "config.json", text);
    EXPECT_THAT(message(folder), Not(HasSubstr("nothing wrong"))) << text;
  }
}

// Of bundles that strangers made.
TEST_F(BadFolders, ABundleWhosePartsDoNotFit) {
  const fs::path bundle = made_.path() / "bundle";
  const auto message_of = [&] {
    try {
      static_cast<void>(Model::open(bundle));
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string("nothing wrong");
  };
  write_pretrained_bundle(kTinyFolders / "siglip", {}, bundle);
  EXPECT_EQ(message_of(), "nothing wrong");
  const auto rewrite_tokenizer = [&](const std::string& from, const std::string& to) {
    const fs::path file = bundle / "tokenizer.safetensors", old = bundle / "old";
    fs::rename(file, old);
    const SafetensorsFile source = SafetensorsFile::open(old);
    auto metadata = source.metadata();
    std::string& text = metadata.at("tokenizer");
    ASSERT_NE(text.find(from), std::string::npos) << text;
    text.replace(text.find(from), from.size(), to);
    write_safetensors(file, source.tensors(), metadata);
    fs::remove(old);
  };
  rewrite_tokenizer("\"padding\":1", "\"padding\":-1");
  EXPECT_THAT(message_of(), HasSubstr("no id to fill sentences up with"));
  rewrite_tokenizer("\"padding\":-1", "\"padding\":1");
  change(bundle / "config.json", [](json& root) { root["transformer"]["vocabulary"] = 50; });
  EXPECT_THAT(message_of(), HasSubstr("'text.tokens' is ["));
  change(bundle / "config.json", [](json& root) { root["transformer"]["pooling"] = "middle"; });
  EXPECT_THAT(message_of(), HasSubstr("transformer.pooling"));
  fs::remove(bundle / "tokenizer.safetensors");
  change(bundle / "config.json", [](json& root) { root["transformer"]["pooling"] = "last"; });
  EXPECT_THAT(message_of(), HasSubstr("tokenizer.safetensors"));
}

TEST_F(BadFolders, NetworksByName) {
  const NamedNetworks networks({kTinyFolders / "dinov2", "a.onnx"});
  ASSERT_EQ(networks.files().size(), 2U);
  EXPECT_EQ(networks.files()[0].filename(), "dinov2.safetensors");
  EXPECT_EQ(networks.files()[1], "a.onnx");
  EXPECT_THROW(NamedNetworks({kTinyFolders / "m_clip"}), InputError);
  EXPECT_THROW(NamedNetworks({made_.path()}), InputError);
}

}  // namespace
}  // namespace hinny
