// Products by oneDNN: the only file that knows its API, which differs between 2.x and 3.x.
#include <cstring>
#include <oneapi/dnnl/dnnl.hpp>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/error.h"
#include "kernels/gemm_backend.h"
#include "kernels/one_openmp_thread.h"

namespace hinny {
namespace {

using dnnl::memory;
using Tag = memory::format_tag;

const dnnl::engine& engine() {
  static const dnnl::engine cpu(dnnl::engine::kind::cpu, 0);
  return cpu;
}

memory::data_type type_of(Number number) {
  return number == Number::bf16 ? memory::data_type::bf16 : memory::data_type::f32;
}

// [rows, columns] as the product sees it. A single row lies dense whatever its stride; oneDNN's
// cache takes the two for equal and would hand out the slow product of the strided one.
memory::desc describe(std::int64_t rows, std::int64_t columns, memory::data_type type,
                      std::int64_t stride, bool transposed) {
  if ((transposed ? columns : rows) == 1) stride = transposed ? rows : columns;
  const memory::dims strides = transposed ? memory::dims{1, stride} : memory::dims{stride, 1};
  return {{rows, columns}, type, strides};
}

dnnl::matmul::primitive_desc prepare(const memory::desc& a, const memory::desc& b,
                                     const memory::desc& c, bool accumulate) {
  dnnl::primitive_attr attributes;
  if (accumulate) {
    dnnl::post_ops after;
    after.append_sum(1.0F);
    attributes.set_post_ops(after);
  }
#if DNNL_VERSION_MAJOR >= 3
  return {engine(), a, b, c, attributes};
#else
  return {dnnl::matmul::desc(a, b, c), attributes, engine()};
#endif
}

memory::desc left(const Product& p) {
  return describe(p.size.m, p.size.k, type_of(p.number), p.a_stride, p.a_transposed);
}
memory::desc right(const Product& p) {
  return describe(p.size.k, p.size.n, type_of(p.number), p.b_stride, p.b_transposed);
}
memory::desc result(const Product& p) {
  return describe(p.size.m, p.size.n, memory::data_type::f32, p.c_stride, false);
}

// Kernels are made for one shape, in tens of microseconds even when their code is there already;
// each thread keeps those that it used last.
struct Key {
  Number number;
  std::int64_t m, n, k, a_stride, b_stride, c_stride;
  bool a_transposed, b_transposed, accumulate, packed;
  bool operator==(const Key&) const = default;
};
struct KeyHash {
  std::size_t operator()(const Key& key) const {
    auto hash = static_cast<std::size_t>(key.number);
    for (const std::int64_t part : {key.m, key.n, key.k, key.a_stride, key.b_stride, key.c_stride,
                                    std::int64_t{key.a_transposed}, std::int64_t{key.b_transposed},
                                    std::int64_t{key.accumulate}, std::int64_t{key.packed}}) {
      hash = hash * 0x9E3779B97F4A7C15U + static_cast<std::size_t>(part);
    }
    return hash ^ (hash >> 29U);
  }
};

struct Kernel {
  dnnl::matmul matmul;
  memory::desc a, b, c;
  bool generic;  // oneDNN's reference product, a hundred times slower: layouts it has no code for
};

const Kernel& kernel_for(const Product& p, const memory::desc& b, bool packed) {
  constexpr std::size_t kMost = 512;
  thread_local std::unordered_map<Key, Kernel, KeyHash> kernels;
  const Key key{
      p.number,   p.size.m,       p.size.n,       p.size.k,     p.a_stride, packed ? 0 : p.b_stride,
      p.c_stride, p.a_transposed, p.b_transposed, p.accumulate, packed};
  const auto found = kernels.find(key);
  if (found != kernels.end()) return found->second;
  if (kernels.size() >= kMost) kernels.clear();
  const OneOpenmpThread guard;
  const memory::desc a = left(p), c = result(p);
  const auto choice = prepare(a, b, c, p.accumulate);
  const bool generic = std::string_view(choice.impl_info_str()).starts_with("ref");
  return kernels.emplace(key, Kernel{dnnl::matmul(choice), a, b, c, generic}).first->second;
}

void run(const Kernel& kernel, const Product& p, const void* b) {
  const OneOpenmpThread guard;
  thread_local dnnl::stream stream(engine());
  const auto wrap = [](const memory::desc& desc, const void* data) {
    return memory(desc, engine(), const_cast<void*>(data));
  };
  kernel.matmul.execute(stream, {{DNNL_ARG_SRC, wrap(kernel.a, p.a)},
                                 {DNNL_ARG_WEIGHTS, wrap(kernel.b, b)},
                                 {DNNL_ARG_DST, wrap(kernel.c, p.c)}});
  stream.wait();
}

class PackedByOneDnn : public PackedOperand {
 public:
  explicit PackedByOneDnn(const Product& p) {
    constexpr std::int64_t kTypicalRows = 256;
    const OneOpenmpThread guard;
    const memory::data_type type = type_of(p.number);
    const auto choice =
        prepare(describe(kTypicalRows, p.size.k, type, p.size.k, false),
                memory::desc({p.size.k, p.size.n}, type, Tag::any),
                describe(kTypicalRows, p.size.n, memory::data_type::f32, p.size.n, false), false);
    packed_ = memory(choice.weights_desc(), engine());
    memory plain(right(p), engine(), const_cast<void*>(p.b));
    dnnl::stream stream(engine());
    dnnl::reorder(plain, packed_).execute(stream, plain, packed_);
    stream.wait();
  }

  void multiply(const Product& p) const override {
    const memory::desc layout = packed_.get_desc();
    const Kernel& kernel = kernel_for(p, layout, true);
    const void* b = packed_.get_data_handle();
    if (!kernel.generic || p.a_stride == p.size.k) return run(kernel, p, b);
    Product dense = p;  // oneDNN 2.6 wants the rows of `a` end to end
    dense.a_stride = p.size.k;
    const std::size_t number = p.number == Number::bf16 ? sizeof(BFloat16) : sizeof(float);
    const auto rows = static_cast<std::size_t>(p.size.m);
    const auto stride = static_cast<std::size_t>(p.a_stride) * number;
    const auto width = static_cast<std::size_t>(p.size.k) * number;
    thread_local std::vector<char> copy;
    copy.resize(rows * width);
    for (std::size_t row = 0; row < rows; ++row) {
      std::memcpy(copy.data() + row * width, static_cast<const char*>(p.a) + row * stride, width);
    }
    dense.a = copy.data();
    run(kernel_for(dense, layout, true), dense, b);
  }

 private:
  memory packed_;
};

// What oneDNN makes use of: its limit (ONEDNN_MAX_CPU_ISA) and what the system allows are in it.
bool uses(dnnl::cpu_isa wanted) {
  const auto bits = [](dnnl::cpu_isa isa) { return static_cast<unsigned>(isa); };
  return (bits(dnnl::get_effective_cpu_isa()) & bits(wanted)) == bits(wanted);
}

#if defined(__x86_64__)
bool has_avx512() { return __builtin_cpu_supports("avx512f") != 0; }
bool is_amd() { return __builtin_cpu_is("amd") != 0; }
#else
bool has_avx512() { return false; }
bool is_amd() { return false; }
#endif

class OneDnn : public GemmBackend {
 public:
  std::string name() const override { return "oneDNN"; }
  bool fast_bfloat16() const override {
    if (uses(dnnl::cpu_isa::avx512_core_amx)) return true;
    // AMD has two units for it a core, Intel one, half as fast as its two for float.
    return is_amd() && uses(dnnl::cpu_isa::avx512_core_bf16);
  }
  void multiply(const Product& p) const override {
    const memory::desc layout = right(p);
    const Kernel& kernel = kernel_for(p, layout, false);
    kernel.generic ? blas_->multiply(p) : run(kernel, p, p.b);
  }
  std::unique_ptr<PackedOperand> pack(const Product& p) const override {
    return std::make_unique<PackedByOneDnn>(p);
  }

 private:
  std::unique_ptr<GemmBackend> blas_ = make_blas_backend();
};

}  // namespace

std::unique_ptr<GemmBackend> make_onednn_backend() {
  // Older processors, and others than x86-64, have only oneDNN's generic products; BLAS is better
  // at those.
  if (!has_avx512()) return nullptr;
  return std::make_unique<OneDnn>();
}

}  // namespace hinny
