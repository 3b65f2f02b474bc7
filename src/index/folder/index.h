// A searchable picture collection: docs/formats/index.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/checksums.h"
#include "base/lazy.h"
#include "base/npy.h"
#include "encoder/model.h"
#include "encoder/text_encoder.h"
#include "index/folder/folder_facts.h"
#include "index/folder/name_list.h"
#include "index/vectors/code_file.h"
#include "index/vectors/graph.h"
#include "index/vectors/scan.h"
#include "tensors/weights.h"

namespace hinny {

constexpr int kIndexFormat = 5;      // since 3 with checksums, since 4 maybe with codes below kInt8
constexpr int kFormatWithNames = 5;  // since then names are in kNamesFile
constexpr int kOldestIndexFormat = 2;
constexpr const char* kContentsFile = "index.json";
constexpr const char* kVectorsFile = "vectors.npy";
constexpr const char* kScanFile = "scan.safetensors";
constexpr const char* kScanRows = "rows";
constexpr const char* kRegionsFile = "regions.npy";      // of a model that compares regions
constexpr const char* kAttentionFile = "attention.npy";  // of another that pools them
// The graph of the vectors in the `space`th space.
std::string graph_file(std::size_t space);

// A question as a vector, and which model and image space it may be compared in.
struct Query {
  std::string model;  // its hash
  std::string space;
  std::vector<float> vector;
  bool corrected = false;  // hubs stand further behind, where the index knows them
  // For a model that compares words with regions: the sentences, and what each weighs. The vector
  // then draws up the shortlist. None when the question holds a picture.
  struct Sentence {
    EncodedText text;
    float weight = 1;
  };
  std::vector<Sentence> sentences;
};

// What index.json and names.safetensors say.
struct IndexContents {
  std::string model;  // hash of encoder/
  std::size_t dim = 0;
  // Bits of a number in what a scan reads: kInt8, or one of kCodeBits.
  int codes = kInt8;
  // Each image's vector is followed by a number: what is added to the scores of sentences, because
  // it lies near all of them (retrieval/hubs.h).
  bool hubs = false;
  std::vector<std::string> spaces;  // the model's, in order
  std::string split;                // "test", or "all"
  std::string features;             // what the vectors were made from
  // What makes a picture's features, one for each part that the model reads: "builtin-1" or a
  // network's file inside the folder. Empty when the index cannot read pictures.
  std::vector<std::string> encoders;
  std::filesystem::path pictures;   // folder of the files; empty when there are none
  NameList images;                  // ids
  NameList files;                   // inside `pictures`; "" where an image has none
  NameList digests;                 // of the features that each image's vector was made from
  bool films = true;                // false: no image is a frame of a film
  std::vector<std::string> graphs;  // hashes of the graph files, one per space, or none
};

// The scan needs no preparation. A graph answers faster in large collections, but must be read into
// memory first: for programs that stay.
enum class Method { scan, graph };

// Immutable; safe to share between threads. What it reads of its files is compared with their
// checksums, when it is first read: what changed since it was written is an InputError, wherever
// it comes to light. Of an index without checksums nothing is compared.
class Index {
 public:
  // Checks everything but the numbers: an encoder/ that is not the one the vectors were made with,
  // and counts or sizes that disagree, are InputErrors. A folder that is replaced meanwhile is read
  // again: what is opened is one version of it. `method` graph uses graphs where the index has
  // them.
  static Index open(const std::filesystem::path& folder, Method method = Method::scan);

  const std::filesystem::path& folder() const { return folder_; }
  const Model& model() const { return model_; }
  const IndexContents& contents() const { return contents_; }
  std::size_t size() const { return contents_.images.size(); }
  // Compares a file inside the folder, or all below a folder, with its checksums.
  void check_file(const std::string& file) const;
  void check_below(const std::string& folder) const;

  // contents().encoders with the networks' files where they are.
  std::vector<std::string> picture_encoders() const;
  // As the index has them, of an image below size(): its id, which is UTF-8, and its file inside
  // contents().pictures, or "". InputError for names that cannot be such.
  std::string_view id(std::size_t image) const;
  std::string_view file(std::size_t image) const;
  // Where the picture is, or "" when the image has no file.
  std::string picture(std::size_t image) const;
  // The folder that holds all pictures.
  std::filesystem::path root() const;
  // Those of its pictures and all above them, as texts (base/path_text.h) seen from root(). The
  // first call takes a pass over all pictures.
  const std::set<std::string>& folders() const;
  // Whether it was made from a folder of pictures. Reads nothing of it.
  bool of_folder() const;
  // What the records of the folder say of its images (folder_facts.h). The first call reads them.
  const FolderFacts& folder_facts() const;
  // Which images are frames of a film (index/tree/film_frames.h). The first call takes a pass over
  // all ids, where there may be any.
  struct Films {
    static constexpr std::uint32_t kNone = ~std::uint32_t{0};
    std::vector<std::uint32_t>
        of;  // of each image, its film's number or kNone; empty: all pictures
    std::uint32_t count = 0;

    std::uint32_t of_image(std::size_t image) const { return of.empty() ? kNone : of[image]; }
  };
  const Films& films() const;
  // The position of an id, or else of one that is the same in composed or decomposed letters, for
  // which the first call takes a pass over all ids.
  std::optional<std::size_t> find(std::string_view id) const;

  Query query(const EncodedText& text, const std::string& language) const;
  // The k best by dot product, best first, equal scores by position (index/vectors/scan.h); with
  // graphs, nearly always those. Of a corrected query the order is that of corrected scores; what a
  // hit shows is its dot product all the same. Throws RequestError for a query of another model, an
  // unknown space, or a vector of another size. Uses several threads when the collection is large.
  std::vector<Hit> search(const Query& query, std::size_t k) const;
  // The same for several queries of one space; the collection is read once for all of them.
  // `among`: of these images alone; null: of all. Where hardly more than k of them are there, all
  // are compared in full, graphs or not.
  std::vector<std::vector<Hit>> search(std::span<const Query> queries, std::size_t k,
                                       const RowMask* among = nullptr) const;
  // An image's own vector, dim numbers. RequestError for an image that is not there or an unknown
  // space. The view is of the index's file.
  std::vector<float> vector(std::size_t image, const std::string& space) const;
  std::span<const float> vector_view(std::size_t image, const std::string& space) const;
  // All of them in a space, where they lie. RequestError for an unknown space.
  struct VectorTable {
    std::span<const float> numbers;
    std::size_t stride = 0;
    const CheckedFile* checked = nullptr;
    // An image's dim numbers, and with hubs one more.
    const float* row(std::size_t image) const {
      const auto row = numbers.subspan(image * stride, stride);
      if (checked != nullptr) checked->check(std::as_bytes(row));
      return row.data();
    }
  };
  VectorTable vectors(const std::string& space) const { return table_of(space_of(space)); }

  // The vectors in one space as a scan reads them, of dim numbers, or with hubs dim + 1.
  Scan scan(const std::string& space) const { return scan_of(space_of(space)); }

  // What is added to a sentence's score where pictures ask: 0 unless the index knows hubs among
  // sentences. The
  // first call reads what the model remembers. `vector` is the sentence's, of dim numbers.
  float sentence_penalty(std::span<const float> vector, const std::string& space) const;

  // What a score says in answer to such a question of sentences (retrieval/fit.h); nothing where
  // the model cannot know. The first call reads what the model remembers.
  std::optional<Fit> fit(const Query& query) const;

  // What is added to sentences' scores of an image: 0 unless the index knows hubs.
  float penalty(std::size_t image, const std::string& space) const;

  // The same images in a second model, which compares words with their regions, or nullptr: the
  // best that this index finds are put in order by both.
  const Index* reranker() const { return reranker_.get(); }

  // Whether pictures are compared region by region, and how many they have.
  bool attends() const { return regions_.has_value(); }
  std::size_t regions() const { return model_.config().features.regions; }
  // A picture's regions as the model compares them, [regions, numbers]; needs attends().
  std::vector<float> regions_of(std::size_t image) const;
  void read_regions(std::size_t image, std::span<float> out) const;  // [region_numbers()]
  std::size_t region_numbers() const { return static_cast<std::size_t>(regions_->row_size()); }
  // What each region counted for in a picture's vector; needs regions() > 1 and no attends().
  std::vector<float> region_attention(std::size_t image) const;

 private:
  Index(std::filesystem::path folder, IndexContents contents);
  static Index open_once(const std::filesystem::path& folder, Method method);
  void check() const;
  void open_checked();
  void open_regions();
  void open_reranker();
  std::size_t space_of(const std::string& name) const;
  std::size_t columns() const { return contents_.dim + (contents_.hubs ? 1 : 0); }
  std::vector<float> row_of(const Query& query) const;
  std::vector<std::vector<Hit>> nearest_rows(std::size_t space, std::span<const float> rows,
                                             std::size_t k, const RowMask* among) const;
  void take_correction_off(std::span<Hit> hits, std::span<const float> vectors) const;
  void open_scan();
  Scan scan_of(std::size_t space) const;
  std::span<const float> vectors_of(std::size_t space) const;
  VectorTable table_of(std::size_t space) const {
    return {vectors_of(space), columns(), checked_.vectors.get()};
  }
  std::optional<std::size_t> find_exactly(std::string_view id) const;
  std::filesystem::path folder_;
  IndexContents contents_;
  std::shared_ptr<const Lazy<NameOrder>> order_;  // of contents_.images
  // Of ids that are not in composed letters, by these.
  std::shared_ptr<const Lazy<std::unordered_map<std::string, std::size_t>>> decomposed_;
  std::shared_ptr<const Lazy<std::optional<HubBank>>> hubs_;
  std::shared_ptr<const Lazy<std::optional<KnownPictures>>> known_;
  std::shared_ptr<const Lazy<FolderFacts>> facts_;
  std::shared_ptr<const Lazy<std::set<std::string>>> folders_;
  std::shared_ptr<const Lazy<Films>> films_;
  Model model_;
  NpyArray vectors_;             // [spaces x images, dim]
  std::optional<Weights> int8_;  // the same in fewer bits: one of these
  std::optional<CodeFile> codes_;
  // With codes a collection is larger than memory: rows are looked at here and there.
  std::shared_ptr<std::once_flag> at_random_ = std::make_shared<std::once_flag>();
  std::vector<Graph> graphs_;  // by space, or none
  std::optional<NpyArray> regions_, attention_;
  // Null where the index has none, or no such file.
  std::shared_ptr<const Checksums> checksums_;
  struct Checked {
    std::shared_ptr<const CheckedFile> vectors, scan, regions;  // or attention
  };
  Checked checked_;
  std::shared_ptr<const Index> reranker_;
};

}  // namespace hinny
