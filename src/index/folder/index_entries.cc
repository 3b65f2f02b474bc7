#include "index/folder/index_entries.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <span>

#include "base/content_hash.h"
#include "base/error.h"
#include "encoder/image_encoder.h"
#include "encoder/late_interaction.h"
#include "index/folder/write_index.h"

namespace hinny {
namespace fs = std::filesystem;
namespace {

void check_features(const Model& model, const Features& features) {
  const auto describe = [](const auto& parts) {
    std::vector<std::string> texts;
    texts.reserve(parts.size());
    for (const auto& part : parts) texts.push_back(fmt::format("{} of {}", part.name, part.dim));
    return fmt::format("{}", fmt::join(texts, " + "));
  };
  const auto& wanted = model.config().features.parts;
  const auto& given = features.parts();
  const bool same = std::equal(
      wanted.begin(), wanted.end(), given.begin(), given.end(),
      [](const auto& a, const auto& b) { return static_cast<std::int64_t>(a.dim) == b.dim; });
  if (!same) {
    throw InputError(fmt::format("features of other sizes: {}", describe(given)),
                     fmt::format("as the model was trained on: {}", describe(wanted)));
  }
}

// Whether a file lies below a folder, as its name stands: many are asked, and parts of paths are
// slow.
bool plainly_below(const fs::path& file, const fs::path& folder) {
  const std::string& name = file.native();
  const std::size_t end = folder.native().size();
  return end > 1 && name.size() > end && name[end] == '/' && name.starts_with(folder.native());
}

// The deepest folder that holds all files.
fs::path common_folder(const std::vector<IndexEntry>& entries) {
  fs::path common;
  for (const IndexEntry& entry : entries) {
    if (entry.file.empty() || plainly_below(entry.file, common)) continue;
    const fs::path folder = entry.file.parent_path();
    if (common.empty()) common = folder;
    if (folder == common) continue;
    const auto end =
        std::mismatch(common.begin(), common.end(), folder.begin(), folder.end()).first;
    fs::path shorter;
    for (auto part = common.begin(); part != end; ++part) shorter /= *part;
    common = shorter;
  }
  return common;
}

// As inside a folder that holds the file; "" of none.
std::string relative_name(const fs::path& file, const fs::path& folder) {
  if (file.empty()) return "";
  if (plainly_below(file, folder) && file.native().find("//") == std::string::npos) {
    return file.native().substr(folder.native().size() + 1);
  }
  return file.lexically_relative(folder).string();
}

constexpr std::size_t kAtOnce = 128;  // pictures, whose regions' features take megabytes

// The vectors of a block of entries.
class EntryVectors {
 public:
  EntryVectors(const Model& model, const FreshFeatures& features,
               const std::vector<IndexEntry>& entries)
      : model_(model), encoder_(model), features_(features), entries_(entries) {}

  void fill(const std::string& space, std::size_t first, std::span<float> out) const {
    const auto fresh = [&](std::span<const float> rows) { return encoder_.encode(rows, space); };
    const auto kept = [&](const IndexEntry::Kept& at) { return at.index->vector(at.image, space); };
    fill_rows(first, out, model_.config().dim, fresh, kept);
  }

  // What is kept of the regions (write_index.h).
  RegionRows regions() const {
    const ModelConfig& config = model_.config();
    const auto each = static_cast<std::int64_t>(config.features.regions);
    if (each < 2) return {};
    const bool whole = config.compares_pairs();
    RegionRows result{kAttentionFile, {each}, {}};
    if (whole) result = {kRegionsFile, {each, static_cast<std::int64_t>(config.dim)}, {}};
    const std::size_t row = config.features.regions * (whole ? config.dim : 1);
    result.fill = [this, whole, row](std::size_t first, std::span<float> out) {
      const auto fresh = [&](std::span<const float> rows) {
        PooledItems pooled = encoder_.encode_regions(rows, model_.config().image.begin()->first);
        return std::move(whole ? pooled.items : pooled.attention);
      };
      const auto kept = [&](const IndexEntry::Kept& at) {
        return whole ? at.index->regions_of(at.image) : at.index->region_attention(at.image);
      };
      fill_rows(first, out, row, fresh, kept);
    };
    return result;
  }

 private:
  using Fresh = std::function<std::vector<float>(std::span<const float> features)>;
  using Kept = std::function<std::vector<float>(const IndexEntry::Kept& at)>;

  // `fresh` makes rows of features into rows of the index; `kept` finds one of the old index.
  void fill_rows(std::size_t first, std::span<float> out, std::size_t size, const Fresh& fresh,
                 const Kept& kept) const {
    const auto row_of = [&](std::size_t i) { return out.subspan(i * size, size).begin(); };
    std::vector<std::size_t> places;  // of the fresh ones
    std::vector<int> images;          // likewise
    for (std::size_t i = 0; i < out.size() / size; ++i) {
      const IndexEntry& entry = entries_[first + i];
      if (entry.kept) {
        std::ranges::copy(kept(*entry.kept), row_of(i));
      } else {
        places.push_back(i);
        images.push_back(entry.fresh);
      }
    }
    std::vector<float> rows;
    for (std::size_t next = 0; next < images.size(); next += kAtOnce) {
      const auto some = std::span(images).subspan(next, std::min(kAtOnce, images.size() - next));
      rows.resize(some.size() * features_.dim);
      features_.gather(some, rows);
      const std::vector<float> encoded = fresh(rows);
      for (std::size_t i = 0; i < some.size(); ++i) {
        std::ranges::copy(std::span(encoded).subspan(i * size, size), row_of(places[next + i]));
      }
    }
  }

  const Model& model_;
  ImageEncoder encoder_;
  const FreshFeatures& features_;
  const std::vector<IndexEntry>& entries_;
};

std::vector<float> fresh_penalties(const Model& model, const HubBank& hubs,
                                   const std::string& space, std::size_t first,
                                   std::span<const float> rows, const RegionRows& regions) {
  const HubBank::Space& remembered = hubs.spaces.at(space);
  if (!model.config().late) {
    return hub_penalties(hubs, remembered.captions, {rows, rows.size() / hubs.dim, hubs.dim});
  }
  const std::size_t each = model.config().features.regions;
  std::vector<float> items(rows.size() * each);
  regions.fill(first, items);
  return late_penalties(hubs, remembered, *model.config().late, items, each);
}

}  // namespace

FreshFeatures fresh_from(const Features& features) {
  return {static_cast<std::size_t>(features.dim()),
          [&features](std::span<const int> images, std::span<float> rows) {
            features.gather(images, rows);
          }};
}

IndexContents contents_by(const Model& copy, std::string split, std::string features) {
  IndexContents contents;
  contents.model = model_hash(copy.folder());
  contents.dim = copy.config().dim;
  for (const auto& item : copy.config().image) contents.spaces.push_back(item.first);
  contents.split = std::move(split);
  contents.features = std::move(features);
  return contents;
}

std::vector<IndexEntry> fresh_entries(const Model& model, const Dataset& dataset,
                                      const Features& features, const std::vector<int>& images) {
  check_features(model, features);
  const fs::path pictures = fs::weakly_canonical(dataset.folder() / "images");
  std::vector<IndexEntry> entries;
  entries.reserve(images.size());
  std::vector<float> row(static_cast<std::size_t>(features.dim()));
  for (const int position : images) {
    const Image& image = dataset.images()[static_cast<std::size_t>(position)];
    features.gather(std::span(&position, 1), row);
    const auto bytes = std::as_bytes(std::span(row));
    const std::string digest =
        content_hash(std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
    entries.push_back({image.id, image.file.empty() ? fs::path() : pictures / image.file,
                       digest.substr(0, 16), std::nullopt, position});
  }
  return entries;
}

std::vector<IndexEntry> stored_entries(const Index& index) {
  std::vector<IndexEntry> entries;
  entries.reserve(index.size());
  for (std::size_t i = 0; i < index.size(); ++i) {
    entries.push_back({std::string(index.id(i)), index.picture(i),
                       std::string(index.contents().digests[i]), IndexEntry::Kept{&index, i}, -1});
  }
  return entries;
}

void write_entries(const Model& model, const FreshFeatures& features,
                   const std::vector<IndexEntry>& entries, IndexContents contents, Graphs graphs,
                   const fs::path& folder, const Index* before) {
  contents.pictures = common_folder(entries);
  for (auto* names : {&contents.images, &contents.files, &contents.digests}) *names = {};
  for (const IndexEntry& entry : entries) {
    contents.images.push_back(entry.id);
    contents.files.push_back(relative_name(entry.file, contents.pictures));
    contents.digests.push_back(entry.digest);
  }
  const EntryVectors vectors(model, features, entries);
  const RegionRows regions = vectors.regions();
  const std::optional<HubBank> hubs = hubs_of(model);
  PenaltiesOf penalties;
  if (hubs) {
    penalties = [&](const std::string& space, std::size_t first, std::span<const float> rows) {
      const auto block = std::span(entries).subspan(first, rows.size() / hubs->dim);
      const bool all_kept =
          std::ranges::all_of(block, [](const IndexEntry& e) { return e.kept.has_value(); });
      std::vector<float> fresh;
      if (!all_kept) fresh = fresh_penalties(model, *hubs, space, first, rows, regions);
      std::vector<float> result;
      for (std::size_t i = 0; i < block.size(); ++i) {
        const auto& kept = block[i].kept;
        result.push_back(kept ? kept->index->penalty(kept->image, space) : fresh[i]);
      }
      return result;
    };
  }
  write_index(
      std::move(contents),
      [&](const std::string& space, std::size_t first, std::span<float> out) {
        vectors.fill(space, first, out);
      },
      penalties, regions, graphs, folder, before);
}

}  // namespace hinny
