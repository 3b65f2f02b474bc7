#include "server/multipart.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "server/base64.h"
#include "server/http_error.h"

namespace hinny {
namespace {

constexpr const char* kType = "multipart/form-data; boundary=\"xyz\"";

TEST(Multipart, PartsHaveTheirNamesAndExactBytes) {
  const std::string content("a\r\n--xy\0\r\n\r\n", 12);
  const std::string body =
      "--xyz\r\nContent-Disposition: form-data; filename=\"name=q\"; name=\"image\"\r\n"
      "Content-Type: image/png\r\n\r\n" +
      content + "\r\n--xyz\r\ncontent-disposition: form-data; name=q\r\n\r\n\r\n--xyz--\r\n";
  const auto parts = form_parts(body, kType);
  ASSERT_EQ(parts.size(), 2U);
  EXPECT_EQ(parts[0].name, "image");
  EXPECT_EQ(parts[0].content, content);
  EXPECT_EQ(parts[1].name, "q");
  EXPECT_EQ(parts[1].content, "");
}

TEST(Multipart, WhateverIsCutOffIsRefused) {
  const std::string body =
      "--xyz\r\nContent-Disposition: form-data; name=\"q\"\r\n\r\ndog\r\n--xyz--";
  EXPECT_EQ(form_parts(body, kType).size(), 1U);
  for (std::size_t length = 0; length < body.size(); ++length) {
    EXPECT_THROW(form_parts(std::string_view(body).substr(0, length), kType), HttpError) << length;
  }
  EXPECT_THROW(form_parts(body, "multipart/form-data"), HttpError);
  EXPECT_THROW(form_parts(body, "multipart/form-data; boundary="), HttpError);
  std::string many = "--xyz";
  for (int i = 0; i < 65; ++i) many += "\r\nA: b\r\n\r\nc\r\n--xyz";
  EXPECT_THROW(form_parts(many + "--", kType), HttpError);
}

TEST(Base64, GoesThereAndBack) {
  std::string bytes;
  for (int i = 0; i < 300; ++i) {
    EXPECT_EQ(from_base64(to_base64(bytes)), bytes);
    bytes += static_cast<char>(i * 7);
  }
  EXPECT_EQ(to_base64("hinny"), "aGlubnk=");
  for (const char* wrong : {"a", "ab=", "ab=c", "a b=", "====", "ab\n=", "\xff\xff\xff\xff"}) {
    EXPECT_FALSE(from_base64(wrong)) << wrong;
  }
}

}  // namespace
}  // namespace hinny
