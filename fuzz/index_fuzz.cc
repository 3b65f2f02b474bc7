// Whatever an index's files hold, they are read or refused with an InputError. The first byte says
// which file the rest replaces in an index that is whole.
#include <fstream>

#include "base/error.h"
#include "base/read_file.h"
#include "encoder/text_encoder.h"
#include "fuzz/small_index.h"
#include "index/asking/ask.h"
#include "index/asking/sentences.h"
#include "index/folder/index_entries.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const hinny::SmallIndex attending(hinny::SmallIndex::attending);
  static const hinny::SmallIndex of_codes(hinny::SmallIndex::plain, 2);
  struct Replaced {
    const hinny::SmallIndex& index;
    const char* file;
  };
  static const Replaced replaced[] = {
      // the first byte of kept inputs: others go behind these
      {attending, "index.json"},       {attending, "vectors.npy"},
      {attending, "scan.safetensors"}, {attending, "sentences.jsonl"},
      {attending, "sentences.npy"},    {attending, "graph-0.hnsw"},
      {attending, "regions.npy"},      {attending, "names.safetensors"},
      {of_codes, "index.json"},        {of_codes, "scan.safetensors"}};
  if (size == 0) return 0;
  const auto& [small, file] = replaced[data[0] % std::size(replaced)];
  const auto path = small.folder() / file;
  static std::map<std::string, std::string> whole;
  if (!whole.contains(path)) whole[path] = hinny::read_file(path);
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(data) + 1, static_cast<std::streamsize>(size - 1));
  try {
    const auto index = hinny::Index::open(small.folder(), hinny::Method::graph);
    hinny::TextEncoder encoder(index.model());
    hinny::Question question;
    question.parts = {{hinny::Sentence{"", "a dog runs"}, 1}};
    question.explain = index.regions() > 1;
    question.near_copies = true;  // of so few images nothing else reads codes
    hinny::ask(index, encoder, question);
    hinny::StoredSentences(index).nearest(index, 0, 3);
    index.find("b");
    index.films();
    hinny::stored_entries(index);
  } catch (const hinny::InputError&) {
  }
  std::ofstream(path, std::ios::binary) << whole[path];
  return 0;
}
