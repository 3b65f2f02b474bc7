# The commands of this repository. `make` alone lists them.
# Each works from a fresh clone: scripts/setup installs what is missing first.
.DEFAULT_GOAL := help
.PHONY: help setup build demo demo-photos test bench lint deb docs asan tsan clean

help:
	@echo "make demo    install what is missing, build, draw pictures, train, evaluate, search (10 minutes)"
	@echo "make demo-photos PICTURES=~/Pictures MODEL=photo-model    your own pictures, by a bundle"
	@echo "make test    build and run every test"
	@echo "make build   build/release/hinny, hinny-data, hinny-vision, hinny-learn"
	@echo "make bench   build and run the benchmarks (bench/compare: beside PyTorch; bench/check: small)"
	@echo "make deb     Debian packages of all that is installed, in build/release/packages"
	@echo "make docs    these pages and the library's headers as one site, in build/docs"
	@echo "make lint    formatting, clang-tidy, file sizes, the ladder of levels"
	@echo "make asan    the torch-free tests under AddressSanitizer and UBSan; make tsan: ThreadSanitizer"
	@echo "make setup   only install what is missing (the packages in packages.txt, with apt)"
	@echo "make clean   remove build/ and demo/"
	@echo "JOBS=1 before or after any of them limits the compilers at work."

setup:
	@scripts/setup

build: setup
	@scripts/build release

demo: setup
	@scripts/demo

# Without setup: what is not set is said first.
demo-photos:
	@scripts/demo-photos

test: setup
	@scripts/build release all tests_build
	ctest --test-dir build/release --output-on-failure -j2

bench: setup
	@scripts/build release
	@cmake -DHINNY_BENCH=ON build/release >/dev/null
	@scripts/build release benchmarks
	@for source in bench/*_bench.cc; do build/release/bench_$$(basename "$$source" _bench.cc); done

deb: build
	@rm -rf build/release/packages # of another version
	@cd build/release && cpack -B packages >packages.log || { cat packages.log; exit 1; }
	@ls build/release/packages/*.deb

docs:
	@scripts/setup docs
	@mkdir -p build && rm -rf build/docs && doxygen docs/reference/Doxyfile
	@docs/reference/links build/docs
	@echo build/docs/index.html

lint:
	@scripts/setup build lint
	@scripts/build release all tests_build
	@scripts/lint

# Sanitizers see the levels without libtorch: libtorch's own reports would drown ours.
torch_free := test_base test_text test_data test_retrieval test_model test_tokenizer test_recipe test_tensors test_transformer test_kernels \
  test_film test_vision test_encoder test_index test_pretrained test_library test_server

asan tsan: export TSAN_OPTIONS := suppressions=$(CURDIR)/scripts/tsan.suppressions
asan tsan: export LSAN_OPTIONS := suppressions=$(CURDIR)/scripts/lsan.suppressions
asan tsan: setup
	@scripts/build $@ $(torch_free)
	@for test in $(torch_free); do echo "== $@ $$test"; build/$@/$$test --gtest_brief=1 || exit 1; done

clean:
	rm -rf build demo
