#include "cli/line_translator.h"

#include "encoder/translator.h"

namespace hinny {
namespace {

class CopyTranslator : public LineTranslator {
 public:
  explicit CopyTranslator(const LineTranslatorOptions& options)
      : translator_(Translator::open(options.run)),
        direction_(find_direction(translator_.directions(), options.from, options.to)) {}

  std::vector<std::vector<Translation>> translate(std::size_t, std::span<const std::string> lines,
                                                  const SearchOptions& search) override {
    return translator_.translate(lines, direction_, search);
  }

 private:
  Translator translator_;
  Direction direction_;
};

}  // namespace

std::unique_ptr<LineTranslator> open_line_translator(const LineTranslatorOptions& options) {
  return std::make_unique<CopyTranslator>(options);
}

}  // namespace hinny
