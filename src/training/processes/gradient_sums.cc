#include "training/processes/gradient_sums.h"

#include <ATen/Parallel.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/zeros.h>
#include <ATen/ops/zeros_like.h>
#include <torch/utils.h>

#include <algorithm>
#include <ranges>

#include "nn/module_with_roles.h"

namespace hinny {
namespace {

constexpr std::int64_t kBucket = 2 << 20;  // numbers
constexpr std::size_t kOfWords = static_cast<std::size_t>(-1);

bool is_zero(const float* row, std::int64_t size) {
  return std::all_of(row, row + size, [](float number) { return number == 0; });
}

// A 1 for each row that is not all zeros.
void mark_rows(const torch::Tensor& rows, std::uint8_t* marks) {
  const torch::Tensor plain = rows.to(at::kFloat).contiguous();
  const float* numbers = plain.data_ptr<float>();
  const std::int64_t size = plain.size(1);
  at::parallel_for(0, plain.size(0), 1024, [=](std::int64_t begin, std::int64_t end) {
    for (std::int64_t row = begin; row < end; ++row) {
      marks[row] = is_zero(numbers + row * size, size) ? 0 : 1;
    }
  });
}

}  // namespace

GradientSums::GradientSums(torch::nn::Module& model, Processes& processes) : processes_(processes) {
  const auto roles = roles_of(model);
  for (const auto& named : model.named_parameters()) {
    if (!named.value().requires_grad()) continue;
    const auto role = roles.find(named.key());
    const bool of_words = role != roles.end() && role->second.part == TensorPart::words;
    items_.push_back({named.value(), kOfWords, 0, 0, of_words});
  }
  std::ranges::reverse(items_);  // about the order in which they get their gradients
  for (Item& item : items_) {
    place(item);
    item.hook = item.parameter.register_hook(
        [this, &item](const torch::Tensor& gradient) { take(item, gradient); });
  }
}

GradientSums::~GradientSums() {
  for (Item& item : items_) item.parameter.remove_hook(item.hook);
}

void GradientSums::place(Item& item) {
  if (item.of_words) return;
  item.size = item.parameter.numel();
  if (buckets_.empty() || buckets_.back().size + item.size > kBucket) buckets_.emplace_back();
  item.bucket = buckets_.size() - 1;
  item.begin = buckets_.back().size;
  buckets_.back().size += item.size;
  ++buckets_.back().items;
}

void GradientSums::start() {
  sent_ = 0;
  // Training may settle how many tokens words share, and with it a size.
  const bool changed = std::ranges::any_of(items_, [](const Item& item) {
    return !item.of_words && item.size != item.parameter.numel();
  });
  if (changed) {
    buckets_.clear();
    for (Item& item : items_) place(item);
  }
  for (Item& item : items_) item.there = false;
  for (Bucket& bucket : buckets_) {
    bucket.ready = 0;
    bucket.wait = nullptr;
    if (!bucket.numbers.defined()) {
      bucket.numbers = at::empty({bucket.size}, items_.front().parameter.options());
      bucket.numbers.set_requires_grad(false);
    }
  }
}

void GradientSums::take(Item& item, const torch::Tensor& gradient) {
  item.there = true;
  if (item.of_words) return;
  const torch::NoGradGuard no_gradient;
  Bucket& bucket = buckets_[item.bucket];
  bucket.numbers.narrow(0, item.begin, item.size).copy_(gradient.reshape({-1}));
  ++bucket.ready;
  send_ready();
}

// In one order everywhere, whatever is ready first.
void GradientSums::send_ready() {
  while (sent_ < buckets_.size() && buckets_[sent_].ready == buckets_[sent_].items) {
    buckets_[sent_].wait = processes_.start_sum(buckets_[sent_].numbers);
    ++sent_;
  }
}

bool GradientSums::finish(bool ask) {
  const torch::NoGradGuard no_gradient;
  // What got no gradient here may have one elsewhere: a language of which the others have captions.
  for (const Item& item : items_) {
    if (item.of_words || item.there) continue;
    buckets_[item.bucket].numbers.narrow(0, item.begin, item.size).zero_();
    ++buckets_[item.bucket].ready;
  }
  send_ready();
  const bool asked = agree(ask);
  sum_words();
  for (Bucket& bucket : buckets_) bucket.wait();
  hand_back();
  return asked;
}

// Which parameters have a gradient on any process.
bool GradientSums::agree(bool ask) {
  const auto count = static_cast<std::int64_t>(items_.size());
  const torch::Tensor flags = at::zeros({count + 1}, at::kByte);
  auto* flag = flags.data_ptr<std::uint8_t>();
  for (const Item& item : items_) *flag++ = item.there ? 1 : 0;
  *flag = ask ? 1 : 0;
  processes_.largest(flags);
  flag = flags.data_ptr<std::uint8_t>();
  for (Item& item : items_) item.there = *flag++ != 0;
  return *flag != 0;
}

void GradientSums::sum_words() {
  std::vector<torch::Tensor> tables;
  std::int64_t rows = 0;
  for (Item& item : items_) {
    if (!item.of_words || !item.there) continue;
    torch::Tensor& gradient = item.parameter.mutable_grad();
    if (!gradient.defined()) gradient = at::zeros_like(item.parameter);
    tables.push_back(gradient);
    rows += gradient.size(0);
  }
  if (tables.empty()) return;
  const torch::Tensor marks = at::empty({rows}, at::kByte);
  auto* mark = marks.data_ptr<std::uint8_t>();
  for (const torch::Tensor& table : tables) {
    mark_rows(table, mark);
    mark += table.size(0);
  }
  processes_.largest(marks);
  std::vector<torch::Tensor> places, numbers;
  rows = 0;
  for (const torch::Tensor& table : tables) {
    places.push_back(marks.narrow(0, rows, table.size(0)).nonzero().squeeze(1).to(table.device()));
    numbers.push_back(table.index_select(0, places.back()).flatten());
    rows += table.size(0);
  }
  const torch::Tensor all = at::cat(numbers);
  if (all.numel() > 0) processes_.start_sum(all)();
  std::int64_t begin = 0;
  for (std::size_t i = 0; i < tables.size(); ++i) {
    const std::int64_t size = numbers[i].numel();
    tables[i].index_copy_(0, places[i], all.narrow(0, begin, size).view({-1, tables[i].size(1)}));
    begin += size;
  }
}

void GradientSums::hand_back() {
  for (Item& item : items_) {
    if (item.of_words || !item.there) continue;
    item.parameter.mutable_grad() =
        buckets_[item.bucket].numbers.narrow(0, item.begin, item.size).view(item.parameter.sizes());
  }
}

}  // namespace hinny
