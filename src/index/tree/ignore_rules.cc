#include "index/tree/ignore_rules.h"

#include <algorithm>
#include <array>

#include "text/characters.h"
#include "text/name_forms.h"

namespace hinny {
namespace {

// One step of a pattern: which characters it takes, and how many.
struct Step {
  enum class Kind { byte, one, set, star, deep } kind = Kind::byte;  // deep: ** also takes '/'
  char byte = 0;
  std::array<bool, 256> set{};
};

// "[a-z]", "[!a]": the set at the start of `text`, and its length; 0 where it has no end.
std::size_t read_set(std::string_view text, std::array<bool, 256>& set) {
  std::size_t at = 1;
  const bool others = at < text.size() && (text[at] == '!' || text[at] == '^');
  if (others) ++at;
  const auto code = [](char c) { return static_cast<unsigned char>(c); };
  for (bool first = true; at < text.size() && (first || text[at] != ']'); first = false) {
    if (text[at] == '\\' && at + 1 < text.size()) ++at;
    const unsigned from = code(text[at++]);
    unsigned to = from;
    if (at + 1 < text.size() && text[at] == '-' && text[at + 1] != ']') {
      to = code(text[at + 1]);
      at += 2;
    }
    for (unsigned c = from; c <= to; ++c) set[c] = true;
  }
  if (at >= text.size()) return 0;
  if (others) {
    for (bool& one : set) one = !one;
  }
  set[static_cast<unsigned char>('/')] = false;
  return at + 1;
}

// Steps, and for "/**/" a choice: it is also a single '/'.
std::vector<Step> steps_of(std::string_view pattern) {
  std::vector<Step> steps;
  using Kind = Step::Kind;
  for (std::size_t at = 0; at < pattern.size();) {
    const std::string_view rest = pattern.substr(at);
    const bool name_begins = at == 0 || pattern[at - 1] == '/';
    Step step{Kind::byte, rest[0], {}};
    std::size_t size = 1;
    if (rest[0] == '\\' && rest.size() > 1) {
      step.byte = rest[1];
      size = 2;
    } else if (name_begins && rest.starts_with("**/")) {
      step.kind = Kind::deep;  // no folder, or some
      size = 3;
    } else if (name_begins && rest == "**") {
      step.kind = Kind::deep;
      size = 2;
    } else if (rest[0] == '*') {
      step.kind = Kind::star;
      size = std::max<std::size_t>(rest.find_first_not_of('*'), 1);
      size = std::min(size, rest.size());
    } else if (rest[0] == '?') {
      step.kind = Kind::one;
    } else if (rest[0] == '[') {
      if (const std::size_t set = read_set(rest, step.set); set > 0) {
        step.kind = Kind::set;
        size = set;
      }
    }
    steps.push_back(step);
    at += size;
  }
  return steps;
}

}  // namespace

bool matches(std::string_view pattern, std::string_view path) {
  if (pattern.find_first_of("*?[\\") == std::string_view::npos) return pattern == path;
  using Kind = Step::Kind;
  const std::vector<Step> steps = steps_of(pattern);
  // Which steps may come next, after each byte of the path.
  std::vector<char> next(steps.size() + 1), after(steps.size() + 1);
  const auto pass_over = [&](std::vector<char>& states, bool name_begins) {
    for (std::size_t s = 0; s < steps.size(); ++s) {
      const bool nothing =
          steps[s].kind == Kind::star || (steps[s].kind == Kind::deep && name_begins);
      if (states[s] != 0 && nothing) states[s + 1] = 1;
    }
  };
  next[0] = 1;
  pass_over(next, true);
  for (std::size_t at = 0; at < path.size(); ++at) {
    const char c = path[at];
    std::ranges::fill(after, char{0});
    for (std::size_t s = 0; s < steps.size(); ++s) {
      if (next[s] == 0) continue;
      const Step& step = steps[s];
      const bool stays = step.kind == Kind::deep || (step.kind == Kind::star && c != '/');
      const bool takes = (step.kind == Kind::byte && step.byte == c) ||
                         (step.kind == Kind::one && c != '/') ||
                         (step.kind == Kind::set && step.set[static_cast<unsigned char>(c)]);
      if (stays) after[s] = 1;
      if (takes) after[s + 1] = 1;
      // "**" at the end takes all that is left.
      if (step.kind == Kind::deep && s + 1 == steps.size() && pattern.ends_with("**")) {
        after[s + 1] = 1;
      }
    }
    pass_over(after, c == '/');
    next.swap(after);
  }
  return next.back() != 0;
}

std::optional<IgnoreRule> ignore_rule(std::string_view line, std::string below) {
  if (line.ends_with('\r')) line.remove_suffix(1);
  while (line.ends_with(' ') && !line.ends_with("\\ ")) line.remove_suffix(1);
  if (line.empty() || line.front() == '#') return std::nullopt;
  IgnoreRule rule;
  rule.text = line;
  rule.below = std::move(below);
  if (line.front() == '!') {
    rule.leaves_out = false;
    line.remove_prefix(1);
  }
  if (line.ends_with('/')) {
    rule.folders_only = true;
    line.remove_suffix(1);
  }
  rule.anchored = line.find('/') != std::string_view::npos;
  if (line.starts_with('/')) line.remove_prefix(1);
  if (line.empty()) return std::nullopt;
  rule.pattern = line;
  return rule;
}

std::vector<IgnoreRule> ignore_rules(std::string_view file, const std::string& below) {
  if (file.starts_with("\xEF\xBB\xBF")) file.remove_prefix(3);
  std::vector<IgnoreRule> rules;
  while (!file.empty()) {
    const std::size_t end = std::min(file.find('\n'), file.size());
    if (auto rule = ignore_rule(file.substr(0, end), below)) rules.push_back(std::move(*rule));
    file.remove_prefix(std::min(end + 1, file.size()));
  }
  return rules;
}

bool is_about(const IgnoreRule& rule, std::string_view path, bool folder) {
  if (rule.folders_only && !folder) return false;
  if (!path.starts_with(rule.below)) return false;
  path.remove_prefix(rule.below.size());
  if (!rule.anchored) path.remove_prefix(path.rfind('/') + 1);  // npos + 1 is 0
  if (matches(rule.pattern, path)) return true;
  return !is_ascii(path) && !is_ascii(rule.pattern) &&
         matches(composed(rule.pattern), composed(path));
}

const IgnoreRule* deciding(const std::vector<IgnoreRule>& rules, std::string_view path,
                           bool folder) {
  for (auto rule = rules.rbegin(); rule != rules.rend(); ++rule) {
    if (is_about(*rule, path, folder)) return &*rule;
  }
  return nullptr;
}

const std::vector<IgnoreRule>& usual_rules() {
  static const std::vector<IgnoreRule> rules = ignore_rules(
      // Synology, QNAP, Samba
      "@eaDir/\n\\#recycle/\n@Recycle/\n\\#snapshot/\n@Recently-Snapshot/\n@tmp/\n"
      // Windows, macOS, Linux
      "$RECYCLE.BIN/\n$Recycle.Bin/\nRECYCLER/\nSystem Volume "
      "Information/\nFOUND.[0-9][0-9][0-9]/\n"
      "__MACOSX/\nNetwork Trash Folder/\nTemporary Items/\nlost+found/\n"
      // galleries
      "[Tt]humbs/\n*.lrdata/\n**/CaptureOne/Cache/\n**/appdata_*/preview/\n"
      // of libraries of Apple's programs all but the pictures themselves
      "**/*.photoslibrary/resources/derivatives/\n**/*.photoslibrary/resources/proxies/\n"
      "**/*.photoslibrary/scopes/\n**/*.photolibrary/Thumbnails/\n**/*.photolibrary/Previews/\n"
      "**/*.photolibrary/resources/proxies/\n**/*.aplibrary/Thumbnails/\n"
      "**/*.aplibrary/Previews/\n",
      "");
  return rules;
}

}  // namespace hinny
