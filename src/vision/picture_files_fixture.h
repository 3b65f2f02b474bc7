// For tests: files of formats that nothing here writes.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace hinny {

inline std::string from_hex(std::string_view text) {
  const auto digit = [](char c) { return c <= '9' ? c - '0' : c - 'a' + 10; };
  std::string bytes;
  for (std::size_t i = 0; i + 1 < text.size(); i += 2) {
    bytes += static_cast<char>(digit(text[i]) * 16 + digit(text[i + 1]));
  }
  return bytes;
}

// 40 x 20 pixels, the left half red, the right half blue, stored turned by a quarter. The camera's
// notes say that it was taken at 2023-07-08 09:10:11, and, wrongly, that it is still to be turned.
inline std::string heic_file() {
  return from_hex(
      "0000001c6674797068656963000000006d696631686569636d696166000001ee6d657461000000000000002168"
      "646c72000000000000000070696374000000000000000000000000000000000e7069746d000000000002000000"
      "106964617400000000001400280000004c696c6f63010000004440000300010000000000000212000100000000"
      "0000004800020001000000000000000100000000000000080003000000000000025a0001000000000000005600"
      "00004d69696e6600000000000300000015696e66650200000100010000687663310000000015696e6665020000"
      "0000020000677269640000000015696e666502000001000300004578696600000000e269707270000000bf6970"
      "636f00000076687663430103700000000000000000001ef000fcfdf8f800000f03200001001840010c01ffff03"
      "700000030090000003000003001eba0240210001002a42010103700000030090000003000003001ea020810596"
      "eaae9ae6e04040c0800000030080000003008422000100064401c173c189000000146973706500000000000000"
      "40000000400000000969726f740300000014697370650000000000000028000000140000001070697869000000"
      "00030808080000001b69706d610000000000000002000102810200020303048500000028697265660000000000"
      "00000e64696d670002000100010000000e63647363000300010002000000a66d646174000000442801af132165"
      "b340f52722ffffb517220fab2647f43d9616772ba0fa0a51f5998539e82dec7e1f972f0837761712bc8ee77021"
      "aefc75e8eb7a13fa6a4320913410ed81280000000645786966000049492a000800000002001201030001000000"
      "0600000069870400010000002600000000000000010003900200140000003800000000000000323032333a3037"
      "3a30382030393a31303a313100");
}
inline std::string avif_file() {
  return from_hex(
      "0000001c667479706176696600000000617669666d6966316d696166000001356d657461000000000000002168"
      "646c72000000000000000070696374000000000000000000000000000000000e7069746d000000000001000000"
      "34696c6f630000000044400002000100000000015900010000000000000025000200000000017e000100000000"
      "000000560000003869696e6600000000000200000015696e66650200000000010000617630310000000015696e"
      "6665020000010002000045786966000000007469707270000000546970636f00000013636f6c726e636c780002"
      "00020006800000000c6176314381000c000000000969726f740300000014697370650000000000000028000000"
      "14000000107069786900000000030808080000001869706d61000000000000000100010581820304850000001a"
      "69726566000000000000000e63647363000200010001000000836d64617412000a091811673b0408081a103216"
      "4600028a28a100baa3f0c1f25c1bd2317f638a76a5e00000000645786966000049492a00080000000200120103"
      "000100000006000000698704000100000026000000000000000100039002001400000038000000000000003230"
      "32333a30373a30382030393a31303a313100");
}

// Little-endian numbers.
inline std::string tiff_number(std::uint32_t value, int bytes) {
  std::string text;
  for (int i = 0; i < bytes; ++i) text += static_cast<char>(value >> (8 * i) & 0xFFU);
  return text;
}

// The same picture in one strip, not compressed; `turned` is the orientation, 1 to 8, in which it
// is stored.
inline std::string tiff_file(std::uint32_t turned = 1) {
  const bool lies = turned >= 5;
  const std::uint32_t width = lies ? 20 : 40, height = lies ? 40 : 20;
  std::string pixels;
  for (std::uint32_t y = 0; y < height; ++y) {
    for (std::uint32_t x = 0; x < width; ++x) {
      std::uint32_t shown = lies ? y : x;  // its column in the picture
      if (turned == 2 || turned == 3 || turned == 6 || turned == 7) shown = 39 - shown;
      pixels += shown < 20 ? std::string("\xE6\x0A\x0A", 3) : std::string("\x0A\x0A\xE6", 3);
    }
  }
  std::string entries;
  std::uint32_t count = 0;
  const auto entry = [&](std::uint32_t tag, std::uint32_t type, std::uint32_t numbers,
                         std::uint32_t value) {
    entries += tiff_number(tag, 2) + tiff_number(type, 2) + tiff_number(numbers, 4) +
               tiff_number(value, 4);
    ++count;
  };
  constexpr std::uint32_t kEntries = 12, kBehind = 8 + 2 + 12 * kEntries + 4;
  entry(256, 4, 1, width);
  entry(257, 4, 1, height);
  entry(258, 3, 3, kBehind);  // 8 bits each
  entry(259, 3, 1, 1);        // as they are
  entry(262, 3, 1, 2);        // RGB
  entry(273, 4, 1, kBehind + 44);
  entry(274, 3, 1, turned);
  entry(277, 3, 1, 3);
  entry(278, 4, 1, height);
  entry(279, 4, 1, static_cast<std::uint32_t>(pixels.size()));
  entry(284, 3, 1, 1);
  entry(34665, 4, 1, kBehind + 6);  // what the camera wrote
  std::string time = "2022:03:04 05:06:07";
  time.resize(20, '\0');
  return "II*" + std::string(1, '\0') + tiff_number(8, 4) + tiff_number(count, 2) + entries +
         tiff_number(0, 4) + tiff_number(8, 2) + tiff_number(8, 2) + tiff_number(8, 2) +
         tiff_number(1, 2) + tiff_number(0x9003, 2) + tiff_number(2, 2) + tiff_number(20, 4) +
         tiff_number(kBehind + 24, 4) + tiff_number(0, 4) + time + pixels;
}

}  // namespace hinny
