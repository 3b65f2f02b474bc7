#include "encoder/encoders.h"

#include <gtest/gtest.h>

#include <optional>

#include "encoder/model_fixture.h"
#include "tests/scratch.h"

namespace hinny {
namespace {

TEST(Encoders, AreMadeForThoseWhoAskAtATimeAndUsedAgain) {
  const Scratch folder;
  ModelFixture().write(folder / "run");
  const Model model = Model::open(folder / "run");
  const Encoders encoders(model, TextEncoder::Unknown::guess);
  std::optional<Encoders::Lease> first(encoders), second(encoders);
  const TextEncoder *one = &**first, *two = &**second;
  EXPECT_NE(one, two);
  EXPECT_EQ((**first).encode("a dog", "en").vector, (**second).encode("a dog", "en").vector);
  second.reset();
  const Encoders::Lease again(encoders);
  EXPECT_EQ(&*again, two);
  first.reset();
  const Encoders::Lease other(encoders);
  EXPECT_EQ(&*other, one);
}

}  // namespace
}  // namespace hinny
