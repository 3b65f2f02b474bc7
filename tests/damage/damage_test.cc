// Every file that Hinny reads, damaged in every way: it is read, or refused with an InputError, and
// loading it takes no more memory than a file of its size may.
//   HINNY_DAMAGE=1 test_damage      all of it; otherwise each 37th damage
#include "tests/damage/damage.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>

#include "base/atomic_file.h"
#include "base/read_file.h"
#include "data/dataset.h"
#include "data/features.h"
#include "data/importers/jsonl.h"
#include "data/importers/karpathy.h"
#include "data/importers/parallel.h"
#include "data/translations.h"
#include "encoder/text_encoder.h"
#include "encoder/translator.h"
#include "index/asking/ask.h"
#include "index/asking/sentences.h"
#include "index/bundle/bundle_archive.h"
#include "index/bundle/bundle_fixture.h"
#include "index/folder/query_translators.h"
#include "index/tree/picture_records.h"
#include "recipe/read_recipe.h"
#include "retrieval/hubs.h"
#include "tests/scratch.h"
#include "text/dictionary.h"
#include "text/word_vectors.h"

namespace hinny {
namespace {

namespace fs = std::filesystem;

// A file below a folder, and who reads it.
struct Format {
  std::string name;
  std::function<void(const fs::path& folder)> make;  // the folder, whole
  std::string file;
  std::function<void(const fs::path& folder, MemoryLimit&)> read;  // asks when it has loaded
};
void PrintTo(const Format& format, std::ostream* out) { *out << format.name; }

std::function<void(const fs::path&)> copy_of(const std::string& old) {
  return [old](const fs::path& folder) {
    fs::copy(fs::path(HINNY_OLD_MODELS) / old, folder, fs::copy_options::recursive);
  };
}

std::function<void(const fs::path&)> text_file(const std::string& name, const std::string& text) {
  return [=](const fs::path& folder) {
    fs::create_directories(folder);
    write_file(folder / name, text);
  };
}

void read_model(const fs::path& folder, MemoryLimit& limit) {
  const Model model = Model::open(folder);
  limit.lift();
  TextEncoder encoder(model);
  for (const std::string& language : model.config().languages) {
    encoder.encode("a red dog runs", language);
  }
}

void read_translator(const fs::path& folder, MemoryLimit& limit) {
  const Translator translator = Translator::open(folder);
  limit.lift();
  for (const Direction& direction : translator.directions()) {
    translator.translate("a red dog", direction, 2);
  }
}

void read_index(const fs::path& folder, MemoryLimit& limit) {
  const Index index = Index::open(folder, Method::graph);
  limit.lift();
  TextEncoder encoder(index.model());
  Question question;
  question.parts = {{Sentence{"", "a red dog"}, 1}};
  question.explain = fs::exists(folder / "regions.npy") || fs::exists(folder / "attention.npy");
  question.near_copies = true;  // of so few images nothing else reads codes
  ask(index, encoder, question);
  StoredSentences(index).nearest(index, 0, 3);
  const QueryTranslators translators(index);
}

// As it is written today: with codes, and names in a file of their own.
void make_codes(const fs::path& folder) {
  copy_of("index-codes")(folder);
  fs::remove(folder / kChecksumsFile);
  auto contents = nlohmann::ordered_json::parse(read_file(folder / kContentsFile));
  const auto list = [&](const char* name) { return NameList(contents[name]); };
  write_names(folder, list("images"), list("files"), list("digests"));
  for (const char* name : {"images", "files", "digests"}) contents.erase(name);
  contents.update({{"format", kIndexFormat}, {"films", false}});
  write_file(folder / kContentsFile, contents.dump());
}

void read_dataset(const fs::path& folder, MemoryLimit&) {
  const Dataset dataset = Dataset::load(folder);
  Features::open(dataset, "grid");
}

void import(const fs::path& folder, MemoryLimit&) {
  ImportWriter writer(folder / "out");
  import_jsonl(folder / "lines.jsonl", {}, writer);
}

struct Bundle : BundleFixture {
  Bundle() { SetUp(); }
  void TestBody() override {}
  using BundleFixture::entries;
};

void make_bundle(const fs::path& folder) {
  fs::create_directories(folder);
  write_archive(folder / "b.tar.gz", Bundle().entries());
}

void unpack(const fs::path& folder, MemoryLimit&) {
  fs::remove_all(folder / "out");
  fs::create_directories(folder / "out");
  unpack_bundle(folder / "b.tar.gz", folder / "out");
}

void make_hubs(const fs::path& folder) {
  fs::create_directories(folder);
  HubBank bank;
  bank.dim = 2;
  bank.spaces["image"] = {{1, 0, 0, 1}, {0, 1}};
  bank.fit = FitCurve{2, 1, 0.5};
  write_hubs(folder / "hubs.safetensors", bank);
}

void make_pictures(const fs::path& folder) {
  fs::create_directories(folder);
  PictureRecords records{"/pictures",
                         "0123",
                         {{"a.jpg",
                           5,
                           {1700000000, 5},
                           "45",
                           {Taken{1700000000, TakenFrom::name}, Coordinates{47.5, 8.5}, "N", "35"},
                           "",
                           ""}}};
  records.files.push_back({"b\xff.jpg", 7, {17'000'000'000, 1}, "67", {}, "no picture", ""});
  records.reader = "1";
  records.exclude = {"*.png"};
  write_picture_records(folder, records);
}

std::vector<Format> formats() {
  std::vector<Format> all;
  const auto add = [&](const std::string& old, std::vector<std::string> files, auto read) {
    for (const std::string& file : files) {
      std::string name = old + "_" + file;
      std::ranges::replace_if(
          name, [](char c) { return !std::isalnum(c); }, '_');
      all.push_back({name, copy_of(old), file, read});
    }
  };
  const std::string config = "config.json", weights = "model.safetensors", words = "vocabulary.tsv";
  add("bag", {config, weights, words}, read_model);
  add("mule", {config, weights}, read_model);
  add("mule-int8", {config, weights}, read_model);
  add("liwe", {config, words}, read_model);
  add("dictionary", {config}, read_model);
  add("scan", {config, weights}, read_model);
  add("san-bf16", {config, weights}, read_model);
  add("smalr", {config, weights}, read_model);
  add("nmt-int8", {config, weights, words, "subwords.txt"}, read_translator);
  add("index-graphs",
      {"index.json", "vectors.npy", "scan.safetensors", "graph-0.hnsw", "sentences.jsonl",
       "sentences.npy"},
      read_index);
  for (const char* file : {kContentsFile, kNamesFile, kScanFile}) {
    all.push_back(
        {std::string("codes_") + fs::path(file).stem().string(), make_codes, file, read_index});
  }
  add("index-regions", {"index.json", "regions.npy"}, read_index);
  add("index-attention", {"attention.npy"}, read_index);
  add("index", {"translators/0/config.json"}, read_index);
  add("data", {"captions.jsonl", "images.jsonl", "features/grid.npy", "features/ids.txt"},
      read_dataset);
  add("data", {"dictionaries/de-en.tsv"}, [](const fs::path& folder, MemoryLimit&) {
    Dictionary::read(folder / "dictionaries", "de", "en");
  });
  add("data", {"translations/de-en.tsv"}, [](const fs::path& folder, MemoryLimit&) {
    Translations::read(folder / "translations", "de", "en");
  });
  all.push_back(
      {"vec", text_file("x.vec", "2 3\na 1 2 3\nb 4 5 6\n"), "x.vec",
       [](const fs::path& folder, MemoryLimit&) { read_word_vectors(folder / "x.vec"); }});
  all.push_back({"jsonl",
                 text_file("lines.jsonl",
                           "{\"image\":\"a\",\"lang\":\"en\",\"split\":\"val\",\"text\":\"b\"}\n"),
                 "lines.jsonl", import});
  all.push_back(
      {"karpathy",
       text_file("k.json",
                 R"({"images":[{"filename":"a.jpg","imgid":0,"split":"train","sentences":[)"
                 R"({"raw":"a dog","tokens":["a","dog"],"sentid":0}]}],"dataset":"x"})"),
       "k.json", [](const fs::path& folder, MemoryLimit&) {
         ImportWriter writer(folder / "out");
         import_karpathy(folder / "k.json", {}, writer);
       }});
  all.push_back(
      {"tmx",
       text_file(
           "m.tmx",
           "<?xml version=\"1.0\"?><tmx version=\"1.4\"><body><tu><tuv xml:lang=\"en\"><seg>a "
           "<bpt i=\"1\">x</bpt>&lt;dog&gt;</seg></tuv><tuv xml:lang=\"de\"><seg>ein Hund"
           "</seg></tuv></tu></body></tmx>"),
       "m.tmx", [](const fs::path& folder, MemoryLimit&) {
         ImportWriter writer(folder / "out");
         import_parallel({{folder / "m.tmx", "train"}}, {}, writer);
       }});
  all.push_back(
      {"pictures", make_pictures, kPictureRecordsFile, [](const fs::path& folder, MemoryLimit&) {
         read_picture_records(folder, [](PictureRecord&& record) { taken_of(record); });
       }});
  all.push_back(
      {"recipe", copy_of("mule"), "recipe.toml",
       [](const fs::path& folder, MemoryLimit&) { read_run_recipe(folder / "recipe.toml"); }});
  all.push_back({"archive", make_bundle, "b.tar.gz", unpack});
  all.push_back({"hubs", make_hubs, "hubs.safetensors", [](const fs::path& folder, MemoryLimit&) {
                   read_hubs(folder / "hubs.safetensors", 2);
                 }});
  return all;
}

std::size_t every() {
  const char* text = std::getenv("HINNY_DAMAGE");
  return text == nullptr ? 37 : static_cast<std::size_t>(std::max(1, std::atoi(text)));
}

class Damage : public testing::TestWithParam<Format> {};

TEST_P(Damage, IsReadOrRefused) {
  const Scratch scratch;
  const fs::path folder = scratch / "x";
  const Format& format = GetParam();
  format.make(folder);
  MemoryLimit none(std::size_t{1} << 40);
  format.read(folder, none);  // it is whole; and what is made once is made now
  none.lift();
  const std::string whole = read_file(folder / format.file);
  std::size_t tried = 0, wrong = 0;
  DamageOptions options;
  options.every = every();
  for_each_damage(whole, options, [&](const std::string& name, const std::string& bytes) {
    std::ofstream(folder / format.file, std::ios::binary | std::ios::trunc) << bytes;
    const std::string problem =
        reads_or_refuses(bytes.size(), [&](MemoryLimit& limit) { format.read(folder, limit); });
    ++tried;
    if (!problem.empty() && ++wrong <= 5) ADD_FAILURE() << name << ": " << problem;
  });
  RecordProperty("tried", static_cast<int>(tried));
  EXPECT_EQ(wrong, 0U) << "of " << tried;
}

INSTANTIATE_TEST_SUITE_P(Files, Damage, testing::ValuesIn(formats()),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace hinny
