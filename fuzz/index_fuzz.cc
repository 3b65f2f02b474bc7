// Whatever an index's files hold, they are read or refused with an InputError. The first byte says
// which file the rest replaces in an index that is whole.
#include <fstream>

#include "base/error.h"
#include "base/read_file.h"
#include "encoder/text_encoder.h"
#include "fuzz/small_index.h"
#include "index/asking/ask.h"
#include "index/asking/sentences.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const hinny::SmallIndex small(hinny::SmallIndex::attending);
  static const char* const files[] = {"index.json",      "vectors.npy",   "scan.safetensors",
                                      "sentences.jsonl", "sentences.npy", "graph-0.hnsw",
                                      "regions.npy"};
  if (size == 0) return 0;
  const auto path = small.folder() / files[data[0] % std::size(files)];
  static std::map<std::string, std::string> whole;
  if (!whole.contains(path)) whole[path] = hinny::read_file(path);
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(data) + 1, static_cast<std::streamsize>(size - 1));
  try {
    const auto index = hinny::Index::open(small.folder(), hinny::Method::graph);
    hinny::TextEncoder encoder(index.model());
    hinny::Question question;
    question.parts = {{hinny::Sentence{"", "a dog runs"}, 1}};
    question.explain = true;
    hinny::ask(index, encoder, question);
    hinny::StoredSentences(index).nearest(index, 0, 3);
  } catch (const hinny::InputError&) {
  }
  std::ofstream(path, std::ios::binary) << whole[path];
  return 0;
}
