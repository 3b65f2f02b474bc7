#include "tokenizer/folder_facts.h"

#include <array>

#include "model/json_node.h"

namespace hinny {
namespace {
namespace fs = std::filesystem;

constexpr std::uint64_t kMostConfigBytes = std::uint64_t{16} << 20U;
constexpr std::size_t kMostIds = 1'000'000;  // more means that nobody said
constexpr std::array<const char*, 7> kSpecialNames = {
    "bos_token", "eos_token", "unk_token", "pad_token", "cls_token", "sep_token", "mask_token"};
constexpr std::array<const char*, 6> kFlagNames = {"do_lower_case",          "strip_accents",
                                                   "tokenize_chinese_chars", "add_bos_token",
                                                   "add_eos_token",          "add_prefix_space"};

// "</s>" or {"content": "</s>", ...}.
std::optional<std::string> token_text(const JsonNode& node) {
  if (node.is_null()) return std::nullopt;
  if (node.is_string()) return node.string();
  return node.at("content").string();
}

void read_special(const JsonNode& root, FolderFacts& facts) {
  for (const char* name : kSpecialNames) {
    const auto node = root.find(name);
    const auto text = node ? token_text(*node) : std::nullopt;
    if (text) facts.special[name] = *text;
  }
  const auto more = root.find("additional_special_tokens");
  if (!more || more->is_null() || !facts.more_special.empty()) return;
  for (const JsonNode& item : more->items()) {
    if (const auto text = token_text(item)) facts.more_special.push_back(*text);
  }
}

void read_tokenizer_config(const JsonNode& root, FolderFacts& facts) {
  read_special(root, facts);
  for (const char* name : kFlagNames) {
    const auto node = root.find(name);
    if (node && !node->is_null()) facts.flags[name] = node->boolean();
  }
  const auto most = root.find("model_max_length");
  if (!most || most->is_null()) return;
  const double value = most->number(0, 1e300);
  if (value >= 1 && value <= static_cast<double>(kMostIds)) {
    facts.most = static_cast<std::size_t>(value);
  }
}

// "text_cfg" of open_clip's configuration.
void read_text_config(const JsonNode& root, FolderFacts& facts) {
  const auto text = root.find("text_cfg");
  if (!text || text->is_null()) return;
  if (const auto length = text->find("context_length"); length && !length->is_null()) {
    facts.most = static_cast<std::size_t>(length->integer(1, kMostIds));
  }
  const auto options = text->find("tokenizer_kwargs");
  if (!options || options->is_null()) return;
  if (const auto clean = options->find("clean"); clean && !clean->is_null()) {
    facts.cleaning = clean->string();
  }
}

}  // namespace

std::optional<bool> FolderFacts::flag(const std::string& name) const {
  const auto found = flags.find(name);
  return found == flags.end() ? std::nullopt : std::optional(found->second);
}

FolderFacts read_folder_facts(const fs::path& folder) {
  FolderFacts facts;
  const bool above = fs::is_directory(folder / "textual") && !fs::exists(folder / "tokenizer.json");
  facts.tokenizer = above ? folder / "textual" : folder;
  const fs::path config = facts.tokenizer.parent_path() / "config.json";
  const auto read = [](const fs::path& path) { return JsonNode::read(path, kMostConfigBytes); };
  const auto in = [&](const char* name) { return facts.tokenizer / name; };
  if (fs::exists(in("tokenizer_config.json"))) {
    read_tokenizer_config(read(in("tokenizer_config.json")), facts);
  }
  if (fs::exists(in("special_tokens_map.json"))) {
    read_special(read(in("special_tokens_map.json")), facts);
  }
  if (facts.tokenizer.filename() == "textual") {
    facts.kind = FolderKind::photo_server;
    if (fs::exists(config)) read_text_config(read(config), facts);
  } else if (fs::exists(in("open_clip_config.json"))) {
    facts.kind = FolderKind::open_clip;
    const JsonNode root = read(in("open_clip_config.json"));
    if (const auto model = root.find("model_cfg")) read_text_config(*model, facts);
  }
  return facts;
}

}  // namespace hinny
