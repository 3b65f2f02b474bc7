// What can go wrong. what() is one sentence: what was found, and in parentheses what was expected.
#pragma once

#include <stdexcept>
#include <string>

#include "hinny/export.h"

namespace hinny {
inline namespace v1 {

class HINNY_API Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
  ~Error() override;
};

// What was given is wrong: a question, an array, a file that is broken.
class HINNY_API InputError : public Error {
 public:
  using Error::Error;
  ~InputError() override;
};

// A file or folder, or an image of a collection, that is not there.
class HINNY_API NotFoundError : public InputError {
 public:
  using InputError::InputError;
  ~NotFoundError() override;
};

// The machine failed: memory, disk, permission.
class HINNY_API MachineError : public Error {
 public:
  using Error::Error;
  ~MachineError() override;
};

}  // namespace v1
}  // namespace hinny
