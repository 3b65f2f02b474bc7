#include "data/dataset.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/error.h"
#include "text/language_code.h"

namespace hinny {

std::string_view source_name(Source source) {
  switch (source) {
    case Source::human_original:
      return "human-original";
    case Source::human_translation:
      return "human-translation";
    case Source::translation_edited:
      return "translation-edited";
    case Source::machine_translation:
      return "machine-translation";
    case Source::mmt:
      return "mmt";
  }
  return "";
}

std::optional<Source> find_source(std::string_view name) {
  for (const Source source : kAllSources) {
    if (source_name(source) == name) return source;
  }
  return std::nullopt;
}

Source source_of_name(std::string_view name) {
  if (const auto source = find_source(name)) return *source;
  const std::vector<std::string> names = source_names();
  throw InputError(fmt::format("no source '{}'{}", name, did_you_mean(name, names)),
                   fmt::format("{}", fmt::join(names, ", ")));
}

std::vector<std::string> source_names() {
  std::vector<std::string> names;
  names.reserve(std::size(kAllSources));
  for (const Source source : kAllSources) names.emplace_back(source_name(source));
  return names;
}

bool written_by_people(Source source) {
  return source != Source::machine_translation && source != Source::mmt;
}

bool Dataset::has_split(const std::string& name) const {
  return std::any_of(images_.begin(), images_.end(),
                     [&](const Image& image) { return image.split == name; });
}

std::vector<int> Dataset::split(const std::string& name) const {
  std::vector<int> found;
  std::set<std::string> names;
  for (std::size_t i = 0; i < images_.size(); ++i) {
    if (images_[i].split == name) {
      found.push_back(static_cast<int>(i));
    } else {
      names.insert(images_[i].split);
    }
  }
  if (found.empty()) {
    throw InputError(folder_ / "images.jsonl",
                     fmt::format("no image in split '{}'{}", name, did_you_mean(name, names)),
                     fmt::format("a split that exists: {}", fmt::join(names, ", ")));
  }
  return found;
}

const std::vector<int>& Dataset::captions_of(int image, int language) const {
  return by_image_[static_cast<std::size_t>(image) * languages_.size() +
                   static_cast<std::size_t>(language)];
}

Dataset Dataset::with_captions(const std::vector<bool>& keep) const {
  Dataset fewer = *this;
  fewer.captions_.clear();
  for (std::size_t i = 0; i < captions_.size(); ++i) {
    if (keep[i]) fewer.captions_.push_back(captions_[i]);
  }
  fewer.index_captions();
  return fewer;
}

Dataset Dataset::with_texts(std::vector<std::string> texts) const {
  Dataset other = *this;
  for (std::size_t i = 0; i < captions_.size(); ++i) other.captions_[i].text = std::move(texts[i]);
  return other;
}

void Dataset::index_captions() {
  by_image_.assign(images_.size() * languages_.size(), {});
  for (std::size_t i = 0; i < captions_.size(); ++i) {
    const Caption& caption = captions_[i];
    by_image_[static_cast<std::size_t>(caption.image) * languages_.size() +
              static_cast<std::size_t>(caption.language)]
        .push_back(static_cast<int>(i));
  }
}

bool Dataset::silent(int language) const {
  return std::ranges::none_of(captions_,
                              [&](const Caption& caption) { return caption.language == language; });
}

int Dataset::language(const std::string& code) const {
  const auto own = find_language(languages_, code);
  if (!own) {
    throw InputError(
        folder_ / "captions.jsonl",
        fmt::format("no captions in language '{}'{}", code, did_you_mean(code, languages_)),
        fmt::format("a language that it has: {}", fmt::join(languages_, ", ")));
  }
  return static_cast<int>(std::ranges::find(languages_, *own) - languages_.begin());
}

int Dataset::find(const std::string& image_id) const {
  const auto found = ids_.find(image_id);
  return found == ids_.end() ? -1 : found->second;
}

bool Dataset::human(int language, const std::vector<int>& images) const {
  return std::any_of(images.begin(), images.end(), [&](int image) {
    const auto& captions = captions_of(image, language);
    return std::any_of(captions.begin(), captions.end(), [&](int caption) {
      return written_by_people(captions_[static_cast<std::size_t>(caption)].source);
    });
  });
}

}  // namespace hinny
