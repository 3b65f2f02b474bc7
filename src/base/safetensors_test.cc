#include "base/safetensors.h"

#include <gtest/gtest.h>

#include <cstring>

#include "base/atomic_file.h"
#include "base/error.h"
#include "base/read_file.h"
#include "tests/scratch.h"

namespace hinny {
namespace fs = std::filesystem;
namespace {

class SafetensorsTest : public testing::Test {
 protected:
  // A file with this header and this many bytes of data.
  fs::path file(const std::string& json, std::size_t data_bytes) const {
    const std::uint64_t length = json.size();
    std::string bytes(reinterpret_cast<const char*>(&length), sizeof length);
    bytes += json + std::string(data_bytes, '\0');
    write_file(folder / "a.safetensors", bytes);
    return folder / "a.safetensors";
  }

  const Scratch folder;
};

template <typename T>
TensorView view(TensorType type, std::vector<std::int64_t> shape, const std::vector<T>& values) {
  return {type, std::move(shape), std::as_bytes(std::span(values))};
}

TEST_F(SafetensorsTest, WhatIsWrittenIsRead) {
  const std::vector<float> weights = {1.5F, -2, 3, 0.25F, 1e-30F, 6};
  const std::vector<std::uint16_t> halves = {0x3C00, 0xC000, 0x0001};
  const std::vector<std::uint16_t> brain = {0x3F80, 0xC000};
  const std::vector<std::int64_t> ids = {7, -1};
  const std::vector<float> none;
  write_safetensors(folder / "a",
                    {{"w", view(TensorType::float32, {2, 3}, weights)},
                     {"half", view(TensorType::float16, {3}, halves)},
                     {"brain", view(TensorType::bfloat16, {2, 1}, brain)},
                     {"ids", view(TensorType::int64, {2}, ids)},
                     {"empty", view(TensorType::float32, {0, 4}, none)}},
                    {{"format", "pt"}});
  const auto read = SafetensorsFile::open(folder / "a");
  EXPECT_EQ(read.tensors().size(), 5U);
  EXPECT_EQ(read.metadata().at("format"), "pt");
  EXPECT_EQ(read.at("w").floats(), weights);
  EXPECT_EQ(read.at("w").shape, (std::vector<std::int64_t>{2, 3}));
  EXPECT_EQ(read.at("half").floats(), (std::vector<float>{1, -2, 0x1p-24F}));
  EXPECT_EQ(read.at("brain").floats(), (std::vector<float>{1, -2}));
  EXPECT_EQ(read.at("empty").size(), 0);
  EXPECT_THROW(read.at("ids").floats(), InputError);
  EXPECT_THROW(read.at("absent"), InputError);
}

TEST_F(SafetensorsTest, EqualTensorsGiveEqualBytesAndAlignedNumbers) {
  const std::vector<float> one = {1};
  for (const char* name : {"a", "b"}) {
    write_safetensors(folder / name, {{"x", view(TensorType::float32, {1}, one)}}, {{"k", "v"}});
  }
  EXPECT_EQ(read_file(folder / "a"), read_file(folder / "b"));
  const auto read = SafetensorsFile::open(folder / "a");
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(read.at("x").bytes.data()) % 8, 0U);
}

TEST_F(SafetensorsTest, ReadsWhatTheReferenceWriterPads) {
  const auto path =
      file(R"({"__metadata__":{"by":"x"},"b":{"dtype":"U8","shape":[],"data_offsets":[0,1]}})"
           "      ",
           1);
  EXPECT_EQ(SafetensorsFile::open(path).at("b").size(), 1);
}

TEST_F(SafetensorsTest, EveryFaultIsAnInputError) {
  struct Case {
    const char* json;
    std::size_t data_bytes;
    const char* said;
  };
  const std::string nested = "{\"a\":" + std::string(100000, '[');
  const std::vector<Case> cases = {
      {"", 0, "no header"},
      {"[]", 0, "no header"},
      {"{", 0, "broken JSON"},
      {"{\"a\":\"\xFF\"}", 0, "broken JSON"},
      {nested.c_str(), 0, "not a map"},
      {R"({"a":1})", 0, "not a map"},
      {R"({"a":{}})", 0, "lacks a field"},
      {R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4],"x":1}})", 4, "'x' of 'a'"},
      {R"({"a":{"dtype":"F64","shape":[1],"data_offsets":[0,8]}})", 8, "type 'F64'"},
      {R"({"a":{"dtype":"F32","shape":[-1],"data_offsets":[0,4]}})", 4, "'shape' of 'a'"},
      {R"({"a":{"dtype":"F32","shape":[1.5],"data_offsets":[0,4]}})", 4, "'shape' of 'a'"},
      {R"({"a":{"dtype":"F32","shape":{"b":1},"data_offsets":[0,4]}})", 4, "'shape' of 'a'"},
      {R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0]}})", 4, "'data_offsets' of 'a'"},
      {R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4,8]}})", 4, "'data_offsets' of 'a'"},
      {R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,4]}})", 4, "fit the shape"},
      {R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[8,4]}})", 8, "fit the shape"},
      {R"({"a":{"dtype":"F32","shape":[4611686018427387904,4],"data_offsets":[0,0]}})", 0, "fit"},
      {R"({"a":{"dtype":"F32","shape":[9223372036854775808],"data_offsets":[0,0]}})", 0, "shape"},
      {R"({"a":{"dtype":"U8","shape":[2],"data_offsets":[0,2]}})", 1, "within the file"},
      {R"({"a":{"dtype":"U8","shape":[2],"data_offsets":[0,2]}})", 3, "3 bytes of data"},
      {R"({"a":{"dtype":"U8","shape":[1],"data_offsets":[1,2]}})", 2, "start at 0"},
      {R"({"a":{"dtype":"U8","shape":[2],"data_offsets":[0,2]},)"
       R"("b":{"dtype":"U8","shape":[2],"data_offsets":[1,3]}})",
       3, "start at 2"},
      {R"({"a":{"dtype":"U8","shape":[0],"data_offsets":[0,0]},)"
       R"("a":{"dtype":"U8","shape":[0],"data_offsets":[0,0]}})",
       0, "twice"},
      {R"({"a":{"dtype":"U8","dtype":"U8","shape":[0],"data_offsets":[0,0]}})", 0, "twice"},
      {R"({"__metadata__":{"a":1}})", 0, "'a' of '__metadata__'"},
      {R"({"__metadata__":{"a":"x","a":"y"}})", 0, "'a' of '__metadata__' given twice"},
      {R"({"__metadata__":{"a":["x"]}})", 0, "'a' of '__metadata__'"},
      {R"({"a":"x"})", 0, "not a map"},
      {R"({"a":null})", 0, "not a map"},
      {R"({"a":{"dtype":true}})", 0, "'dtype' of 'a'"},
      {R"({"a":{"dtype":["U8"],"shape":[1],"data_offsets":[0,1]}})", 1, "'dtype' of 'a'"},
      {R"({"a":{"dtype":"U8","shape":[[1]],"data_offsets":[0,1]}})", 1, "'shape' of 'a'"},
      {R"({"a":{"dtype":"U8","shape":["1"],"data_offsets":[0,1]}})", 1, "'shape' of 'a'"},
      {R"({"a":{"dtype":"U8","shape":"1","data_offsets":[0,1]}})", 1, "'shape' of 'a'"},
      {R"({"a":{"dtype":"U8","shape":1,"data_offsets":[0,1]}})", 1, "'shape' of 'a'"},
      {R"({} x)", 0, "broken JSON"},
  };
  for (const Case& one : cases) {
    const auto path = file(one.json, one.data_bytes);
    try {
      SafetensorsFile::open(path);
      ADD_FAILURE() << "accepted " << std::string(one.json).substr(0, 80);
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find(one.said), std::string::npos) << error.what();
      EXPECT_NE(std::string(error.what()).find("a.safetensors: "), std::string::npos);
    }
  }
}

TEST_F(SafetensorsTest, EveryTruncationIsRefused) {
  const std::vector<float> values = {1, 2, 3};
  write_safetensors(folder / "a", {{"x", view(TensorType::float32, {3}, values)}});
  const std::string whole = read_file(folder / "a");
  for (std::size_t size = 0; size < whole.size(); ++size) {
    write_file(folder / "b", whole.substr(0, size));
    EXPECT_THROW(SafetensorsFile::open(folder / "b"), InputError) << size;
  }
}

TEST_F(SafetensorsTest, ShapesThatDoNotFitTheirNumbersAreNotWritten) {
  const std::vector<float> three = {1, 2, 3};
  const std::vector<float> one = {1};
  // Together they have as many numbers as their shapes say.
  EXPECT_THROW(write_safetensors(folder / "x", {{"a", view(TensorType::float32, {2}, three)},
                                                {"b", view(TensorType::float32, {2}, one)}}),
               std::invalid_argument);
  EXPECT_FALSE(std::filesystem::exists(folder / "x"));
}

}  // namespace
}  // namespace hinny
