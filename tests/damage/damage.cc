#include "tests/damage/damage.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <new>

#include "base/error.h"
#include "base/random.h"

namespace hinny {
namespace {

std::string flipped(std::string bytes, std::size_t bit) {
  bytes[bit / 8] = static_cast<char>(bytes[bit / 8] ^ (1 << (bit % 8)));
  return bytes;
}

// Each run of digits of a text replaced by `number`.
std::string with_numbers(const std::string& text, const std::string& number) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool digit = text[i] >= '0' && text[i] <= '9';
    if (!digit) out += text[i];
    if (digit && (i == 0 || text[i - 1] < '0' || text[i - 1] > '9')) out += number;
  }
  return out;
}

std::string repeated(const std::string& part, std::size_t times) {
  std::string out;
  out.reserve(part.size() * times);
  for (std::size_t i = 0; i < times; ++i) out += part;
  return out;
}

std::string random_bytes(Random& random, std::size_t size) {
  std::string out(size, '\0');
  for (char& byte : out) byte = static_cast<char>(random.below(256));
  return out;
}

std::vector<std::string> nonsense(const std::string& whole) {
  std::vector<std::string> all = {"",
                                  "\n",
                                  std::string(1, '\0'),
                                  std::string(4096, '\0'),
                                  std::string(4096, '\xff'),
                                  "\xef\xbb\xbf" + whole,
                                  "\xc3\x28" + whole,
                                  whole + whole,
                                  whole + '\0',
                                  whole + "\xff\xff\xff",
                                  "null",
                                  "[]",
                                  "{}",
                                  "[{}]",
                                  "{\"\":{}}",
                                  "1e999",
                                  repeated("[", 100000),
                                  repeated("{\"a\":", 100000),
                                  std::string(1 << 20, 'x'),
                                  repeated("x\t", 100000),
                                  std::string(whole.rbegin(), whole.rend())};
  for (const char* number :
       {"99999999999999999999", "4294967296", "2147483647", "-1", "0", "9223372036854775807",
        "18446744073709551615", "1e308", "nan", "\"7\"", "null", "[]", "0.5"}) {
    all.push_back(with_numbers(whole, number));
  }
  Random random(7);
  while (all.size() < 40) all.push_back(random_bytes(random, random.below(whole.size() * 2 + 1)));
  return all;
}

std::size_t virtual_bytes() {
  std::size_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  return pages * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
}

}  // namespace

void for_each_damage(const std::string& whole, const DamageOptions& options,
                     const EachDamage& use) {
  std::size_t turn = 0;
  const auto counts = [&] { return turn++ % options.every == 0; };
  for (std::size_t size = 0; size < whole.size(); ++size) {
    if (counts()) use(fmt::format("cut after {} bytes", size), whole.substr(0, size));
  }
  const std::size_t bits = whole.size() * 8, header = std::min(bits, options.header * 8);
  for (std::size_t bit = 0; bit < header; ++bit) {
    if (counts()) use(fmt::format("bit {} flipped", bit), flipped(whole, bit));
  }
  Random random(1);
  for (std::size_t i = 0; i < options.body_bits && bits > header; ++i) {
    const std::size_t bit = header + random.below(bits - header);
    if (counts()) use(fmt::format("bit {} flipped", bit), flipped(whole, bit));
  }
  std::size_t number = 0;
  for (const std::string& bytes : nonsense(whole)) use(fmt::format("made up {}", number++), bytes);
}

MemoryLimit::MemoryLimit(std::size_t more) {
  ::getrlimit(RLIMIT_AS, &before_);
  rlimit limit = before_;
  limit.rlim_cur = virtual_bytes() + more;
  ::setrlimit(RLIMIT_AS, &limit);
}

void MemoryLimit::lift() { ::setrlimit(RLIMIT_AS, &before_); }

std::string reads_or_refuses(std::size_t bytes, const std::function<void(MemoryLimit&)>& read) {
  MemoryLimit limit(bytes + bytes / 10 + (std::size_t{32} << 20));
  try {
    read(limit);
  } catch (const InputError& error) {
    return std::string(error.what()).empty() ? "refused without a word" : "";
  } catch (const std::bad_alloc&) {
    return "took more memory than the file's size x 1.1 + 32 MB";
  } catch (const std::exception& error) {
    return fmt::format("ended with {}", error.what());
  }
  return "";
}

}  // namespace hinny
