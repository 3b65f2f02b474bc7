// Hinny's own classes beside the public ones of the same names: the public ones live in the inline
// namespace v1, which also keeps the two apart in the library's symbols. What is public must come
// last: after it, Hinny's own headers could no longer be read.
#pragma once

#include <exception>
#include <filesystem>
#include <new>
#include <string>
#include <utility>

#include "base/error.h"
#include "base/problem_text.h"
#include "base/terminal_text.h"
#include "encoder/encoders.h"
#include "encoder/image_encoder.h"
#include "encoder/model.h"
#include "index/asking/collection.h"
#include "index/asking/question_fields.h"
#include "index/bundle/bundle.h"
#include "index/folder/index.h"
#include "retrieval/recall.h"

namespace hinny::inside {

using hinny::Answer;
using hinny::Collection;
using hinny::Explanation;
using hinny::Found;
using hinny::Heard;
using hinny::InputError;
using hinny::LanguageRecall;
using hinny::Model;
using hinny::Question;
using hinny::UnknownImage;

}  // namespace hinny::inside

#include "hinny/hinny.hpp"

namespace hinny::inside {

// How a language is asked for, in messages to programs.
inline constexpr const char* kLanguage = "a language";

// Runs `work` and throws what it throws as a public error, whose message holds nothing that a
// terminal obeys. `path`: what it opens, or empty.
template <typename Work>
auto guarded(Work&& work, const std::filesystem::path& path = {}) -> decltype(work()) {
  try {
    return std::forward<Work>(work)();
  } catch (const v1::NotFoundError& error) {
    throw v1::NotFoundError(terminal_text(error.what()));
  } catch (const v1::InputError& error) {
    throw v1::InputError(terminal_text(error.what()));
  } catch (const v1::Error&) {
    throw;
  } catch (const UnknownImage& error) {
    throw v1::NotFoundError(error.what());
  } catch (const InputError& error) {
    std::error_code ignored;
    if (!path.empty() && !std::filesystem::exists(path, ignored)) {
      throw v1::NotFoundError(error.what());
    }
    throw v1::InputError(error.what());
  } catch (const std::bad_alloc&) {
    throw v1::MachineError("out of memory");
  } catch (const std::exception& error) {
    throw v1::MachineError(terminal_text(problem_text(error)));
  }
}

}  // namespace hinny::inside
