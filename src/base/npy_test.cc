#include "base/npy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>

#include "base/atomic_file.h"
#include "base/error.h"
#include "base/read_file.h"
#include "tests/scratch.h"

namespace hinny {
namespace fs = std::filesystem;
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;
using namespace std::string_literals;

class NpyTest : public testing::Test {
 protected:
  // A file as another program would write it, with the dictionary as given.
  void write_raw(const std::string& dictionary, std::size_t data_bytes, char major = 1) const {
    std::string file = "\x93NUMPY"s + major + '\0';
    const std::string text = dictionary + " \n";
    for (int i = 0; i < (major == 1 ? 2 : 4); ++i) {
      file += static_cast<char>(text.size() >> (8 * i) & 0xFFU);
    }
    write_file(path, file + text + std::string(data_bytes, '\0'));
  }
  void expect_refused(const std::string& message) const {
    EXPECT_THAT([&] { NpyArray::open(path); }, ThrowsMessage<InputError>(HasSubstr(message)));
  }

  const Scratch folder;
  const fs::path path = folder / "a.npy";
};

TEST_F(NpyTest, WhatIsWrittenIsRead) {
  for (const NpyType type : {NpyType::float16, NpyType::float32}) {
    NpyWriter writer(path, {2, 2}, type);
    for (const float number : {0.0F, 1.0F, 2.0F}) {
      writer.append(std::vector<float>{number, number + 0.5F, -number, 1000.0F});
    }
    writer.commit();
    const NpyArray array = NpyArray::open(path);
    EXPECT_EQ(array.type(), type);
    EXPECT_THAT(array.shape(), ElementsAre(3, 2, 2));
    std::vector<float> row(4);
    array.row(2, row);
    EXPECT_THAT(row, ElementsAre(2.0F, 2.5F, -2.0F, 1000.0F));
    EXPECT_THROW(array.row(3, row), std::out_of_range);
  }
}

TEST_F(NpyTest, TheFileIsTheOneNumpyWrites) {
  write_npy(path, std::vector<float>{1, 2, 3, 4, 5, 6}, {3, 2});
  const std::string file = read_file(path);
  ASSERT_EQ(file.size(), 128 + 6 * sizeof(float));
  EXPECT_EQ(file.substr(0, 10), "\x93NUMPY\x01\0\x76\0"s);
  EXPECT_THAT(file, HasSubstr("{'descr': '<f4', 'fortran_order': False, 'shape': (3, 2), } "));
  EXPECT_EQ(file[127], '\n');
}

TEST_F(NpyTest, AcceptsEveryVersionOrderOfKeysAndQuote) {
  const std::string dictionary = R"({"shape":(2,3),'fortran_order':False,"descr":"<f2"})";
  for (const char major : {'\1', '\2', '\3'}) {
    write_raw(dictionary, 12, major);
    EXPECT_THAT(NpyArray::open(path).shape(), ElementsAre(2, 3)) << int(major);
  }
}

TEST_F(NpyTest, MayHaveNoRows) {
  NpyWriter(path, {5}, NpyType::float16).commit();
  EXPECT_EQ(NpyArray::open(path).rows(), 0);
  EXPECT_EQ(NpyArray::open(path).first_bad_row(), -1);
}

TEST_F(NpyTest, RefusesOtherTypesOrdersAndShapes) {
  const auto dictionary = [](const std::string& type, const std::string& order,
                             const std::string& shape) {
    return "{'descr': " + type + ", 'fortran_order': " + order + ", 'shape': " + shape + ", }";
  };
  const struct {
    std::string dictionary, message;
  } cases[] = {
      {dictionary("'<f8'", "False", "(2, 3)"), "type '<f8' (expected float16 or float32"},
      {dictionary("'>f4'", "False", "(2, 3)"), "type '>f4'"},
      {dictionary("'|O'", "False", "(2, 3)"), "type '|O'"},
      {dictionary("'<f8888888'", "False", "(2, 3)"), "array of an unknown type"},
      {dictionary("'<\x1b'", "False", "(2, 3)"), "array of an unknown type"},
      {dictionary("[('x', '<f4')]", "False", "(2, 3)"), "structured"},
      {dictionary("'<f4'", "True", "(2, 3)"), "Fortran order"},
      {dictionary("'<f4'", "false", "(2, 3)"), "True or False"},
      {dictionary("'<f4'", "False", "(6,)"), "1 dimension"},
      {dictionary("'<f4'", "False", "()"), "0 dimension"},
      {dictionary("'<f4'", "False", "(6)"), "tuple"},
      {dictionary("'<f4'", "False", "(2, 0)"), "empty rows"},
      {dictionary("'<f4'", "False", "(-2, 3)"), "whole numbers"},
      {dictionary("'<f4'", "False", "(99999999999999999999, 3)"), "whole numbers"},
      {dictionary("'<f4'", "False", "(4611686018427387904, 4)"), "truncated"},
      {dictionary("'<f4'", "False", "(0, 4294967296, 4294967296)"), "absurd shape"},
      {dictionary("'<f4'", "False", "(3, 3)"), "truncated: 24 bytes"},
      {dictionary("'<f4'", "False", "(1, 3)"), "12 bytes after the last number"},
      {"{'descr': '<f4', 'shape': (2, 3), }", "incomplete header"},
      {"{'shape': (2, 3), 'shape': (2, 3)}", "repeated header key"},
      {"{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), 'x': 1}", "unknown"},
      {"{'descr': '<f4", "closing quote"},
      {dictionary("'<f4'", "False", "(2, 3)") + "x", "text after the dictionary"},
      {"", "'{'"},
  };
  for (const auto& [text, message] : cases) {
    SCOPED_TRACE(text);
    write_raw(text, 24);
    expect_refused(message);
  }
}

TEST_F(NpyTest, RefusesWhatNoArrayCanBe) {
  write_npy(path, std::vector<float>{1, 2}, {1, 2});
  const std::string good = read_file(path);
  for (const auto& [place, byte] : {std::pair{6, '\0'}, {6, '\4'}, {7, '\1'}}) {
    std::string other = good;
    other[static_cast<std::size_t>(place)] = byte;
    write_file(path, other);
    expect_refused("unknown npy format version");
  }
  std::string shape = "(1";
  for (int i = 0; i < 32; ++i) shape += ", 1";
  write_raw("{'descr': '<f4', 'fortran_order': False, 'shape': " + shape + "), }", 4);
  expect_refused("too many dimensions");
  EXPECT_THROW(write_npy(path, std::vector<float>{1, 2}, {2}), std::invalid_argument);
  EXPECT_THROW(write_npy(path, std::vector<float>{1, 2}, {2, 2}), std::invalid_argument);
  EXPECT_THROW(NpyWriter(path, {}, NpyType::float32), std::invalid_argument);
  EXPECT_THROW(NpyWriter(path, {2, 0}, NpyType::float32), std::invalid_argument);
  EXPECT_THROW(NpyWriter(path, std::vector<std::int64_t>(32, 1), NpyType::float32),
               std::invalid_argument);
  NpyWriter writer(path, {2}, NpyType::float32);
  EXPECT_THROW(writer.append(std::vector<float>{1}), std::invalid_argument);
}

TEST_F(NpyTest, RefusesEveryTruncation) {
  write_npy(path, std::vector<float>{1, 2}, {1, 2});
  const std::size_t whole = fs::file_size(path);
  fs::resize_file(path, whole + 1);
  expect_refused("1 bytes after");
  for (std::size_t size = whole; size-- > 0;) {
    fs::resize_file(path, size);
    EXPECT_THROW(NpyArray::open(path), InputError) << size;
  }
}

TEST_F(NpyTest, FindsTheFirstRowWithNanOrInfinity) {
  for (const NpyType type : {NpyType::float16, NpyType::float32}) {
    NpyWriter writer(path, {3}, type);
    std::vector<float> row(3);
    for (int i = 0; i < 1000; ++i) {
      row[2] = i == 700   ? std::numeric_limits<float>::quiet_NaN()
               : i == 900 ? -std::numeric_limits<float>::infinity()
                          : 65504.0F;
      writer.append(row);
    }
    writer.commit();
    EXPECT_EQ(NpyArray::open(path).first_bad_row(), 700);
  }
}

TEST_F(NpyTest, NumbersBeyondHalfPrecisionAreRefused) {
  NpyWriter writer(path, {2}, NpyType::float16);
  writer.append(std::vector<float>{65519.0F, -65504.0F});
  EXPECT_THAT(
      [&] {
        writer.append(std::vector<float>{0, -70000.0F});
      },
      ThrowsMessage<InputError>(HasSubstr("row 1: -70000 does not fit float16")));
}

}  // namespace
}  // namespace hinny
