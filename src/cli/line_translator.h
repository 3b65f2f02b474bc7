// Who translates the lines of `hinny translate`: a trained run takes libtorch, so hinny-learn; a
// small copy of one does not. Each of the two programs links its own definition of
// open_line_translator, and gets here only with what it can open (cli/dispatch.h).
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "text/beam.h"

namespace hinny {

struct LineTranslatorOptions {
  std::string run;
  std::string from;
  std::string to;
  std::string images;  // a file of ids, for a model that sees
  std::string data;
  std::string features;
  std::string device = "cpu";
};

class LineTranslator {
 public:
  virtual ~LineTranslator() = default;
  // How many lines there must be; none where any number will do.
  virtual std::optional<std::size_t> count() const { return {}; }
  // The translations of lines that `first` others came before, best first.
  virtual std::vector<std::vector<Translation>> translate(std::size_t first,
                                                          std::span<const std::string> lines,
                                                          const SearchOptions& search) = 0;
};

// Throws InputError for what does not fit together.
std::unique_ptr<LineTranslator> open_line_translator(const LineTranslatorOptions& options);

}  // namespace hinny
