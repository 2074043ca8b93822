# One word for each job. `make run` and `make test` do everything on a fresh Debian or Ubuntu with
# Swift: they install what is missing, build, and go.

PREFIX ?= $(HOME)/.local
# dash leaves the ~ of `make install PREFIX=~/.local` as it is, and so would install(1).
override PREFIX := $(patsubst %/,%,$(patsubst ~,$(HOME),$(patsubst ~/%,$(HOME)/%,$(PREFIX))))
ARGS ?=
SWIFT ?= swift
# Everything that the linker of a release is told.
LINK = $(shell Scripts/link-flags)
# The same program in every directory: no path of it, no hash of what was compiled (.swift_modhash),
# none of the debug information, which names the compiler's caches by hashes of their paths.
REPRODUCIBLE = -Xswiftc -file-prefix-map -Xswiftc "$(CURDIR)=." -Xcc -ffile-prefix-map="$(CURDIR)=." \
  -Xswiftc -Xfrontend -Xswiftc -disable-incremental-llvm-codegen -Xlinker --build-id=none
# No RUNPATH: with SwiftPM's, libraries beside the program would replace the system's.
RELEASE = -c release --disable-local-rpath -Xswiftc -static-stdlib $(LINK) $(REPRODUCIBLE)
# The commit is in the environment: Package.swift passes it on.
BUILD_RELEASE = Scripts/build $(SWIFT) build $(RELEASE)
PROGRAM = .build/release/panda

.PHONY: run build test simulate planted mutants coverage torture tsan asan fuzz lint format docs check-pantry bench screenshots keys demo install uninstall deb check-deb release clean swift dependencies test-dependencies package-dependencies release-dependencies

run: build
	@exec "$(PROGRAM)" $(ARGS)

# With ONE_FILE=1, a program that needs no library but glibc's and GCC's (Scripts/link-flags).
build: swift dependencies
	@$(BUILD_RELEASE) --product panda

test: swift test-dependencies
	@SWIFT="$(SWIFT)" Scripts/test

SECONDS ?= 60

# Pantry under random schedules and faults for SECONDS; with SEED=N, that one schedule, cut down to
# the shortest that still fails.
simulate: swift test-dependencies
	@$(SWIFT) build --product PantrySimulator
	@.build/debug/PantrySimulator --seconds $(SECONDS) $(if $(SEED),--seed $(SEED)) $(ARGS)

# Small faults in a copy of Pantry: the simulator must find each that is planted within a minute.
planted: swift test-dependencies
	@SWIFT="$(SWIFT)" Scripts/mutants --planted $(ARGS)

# Those that have no result yet, and the table of what finds them, in Tests/PantryMutants. It takes
# an hour; with ARGS=--tests, many.
mutants: swift test-dependencies
	@SWIFT="$(SWIFT)" Scripts/mutants $(ARGS)

# Which lines of Pantry's engine, Store and JSON no test runs.
coverage: swift test-dependencies
	@SWIFT="$(SWIFT)" Scripts/coverage $(ARGS)

# The tests in their long forms: every flush, every call, a thousand kills. It takes hours; with
# `make torture ARGS="--filter PowerLossTests"`, those of one suite.
torture: swift test-dependencies
	@PANDA_TORTURE=1 SWIFT="$(SWIFT)" Scripts/test $(ARGS)

# The whole suite under the sanitizers, with the program that it starts; with ARGS="--filter WORDS",
# a part of it.
tsan: swift test-dependencies
	@PANDA_TSAN=1 TSAN_OPTIONS="suppressions=$(CURDIR)/Scripts/tsan-suppressions" \
	  SWIFT="$(SWIFT)" Scripts/test --sanitize=thread --scratch-path .build-tsan $(ARGS)

asan: swift test-dependencies
	@ASAN_OPTIONS=detect_leaks=0 SWIFT="$(SWIFT)" Scripts/test --sanitize=address --scratch-path .build-asan $(ARGS)

# The parsers of untrusted bytes under libFuzzer, each for SECONDS; with TARGET, only that one.
fuzz: swift dependencies
	@SWIFT="$(SWIFT)" Scripts/fuzz $(SECONDS) $(TARGET)

# Builds, since the compiler checks the layers inside a target.
lint: swift test-dependencies
	$(SWIFT) format lint --strict --configuration .swift-format -r Sources Tests Benchmarks Examples Fuzzing Package.swift
	@Scripts/check-imports
	@SWIFT="$(SWIFT)" Scripts/check-layers --self-test && SWIFT="$(SWIFT)" Scripts/check-layers
	@Scripts/check-style --self-test && Scripts/check-style
	@Scripts/check-links --self-test && Scripts/check-links
	@Scripts/check-commits --self-test
	@Scripts/measure --self-test && Scripts/measure --check

# Also writes the limits of lines where a part has fallen.
format: swift
	$(SWIFT) format -i --configuration .swift-format -r Sources Tests Benchmarks Examples Fuzzing Package.swift
	@Scripts/measure --lower

# The guides and the reference of Pantry and its two companions, to .build/docs.
docs: swift dependencies
	@SWIFT="$(SWIFT)" Scripts/docs

# A package that depends on Pantry alone, by a git URL.
check-pantry: swift dependencies
	@SWIFT="$(SWIFT)" Scripts/check-pantry

bench: swift dependencies
	@$(BUILD_RELEASE) --product panda
	@PANDA_BENCH=1 $(BUILD_RELEASE) --product panda-bench
	@.build/release/panda-bench $(ARGS)

# Real terminals on a virtual display; installs them.
screenshots: build
	@Scripts/screenshots "$(PROGRAM)"

# The tables of docs/Keys.md, from the table of keys.
keys: swift test-dependencies
	@PANDA_WRITE_DOCS=1 SWIFT="$(SWIFT)" Scripts/test --filter KeysDocumentTests

# The moving picture of the README, from kitty on a virtual display, which it installs; and the same
# screens as text, which a test compares.
demo: build test-dependencies
	@PANDA_WRITE_DOCS=1 SWIFT="$(SWIFT)" Scripts/test --filter DemoTests
	@Scripts/demo "$(PROGRAM)"

install: build
	@Scripts/install-files "$(PROGRAM)" "$(DESTDIR)$(PREFIX)"
	@echo "Installed $(DESTDIR)$(PREFIX)/bin/panda"
	@case ":$$PATH:" in *":$(PREFIX)/bin:"*) ;; *) [ -n "$(DESTDIR)" ] || \
	  echo "$(PREFIX)/bin is not in PATH: add it, or run panda by its whole path." ;; esac

uninstall:
	@Scripts/install-files --remove "$(DESTDIR)$(PREFIX)"

# A package for the release that this is; leaves .build/deb/panda_VERSION_ARCHITECTURE.deb, and what
# it contains and needs beside it (CycloneDX).
deb: build package-dependencies
	@SWIFT="$(SWIFT)" Scripts/make-deb "$(PROGRAM)"

# Installs the package's own tools too, and judges it with lintian.
check-deb: deb
	@Scripts/install-dependencies --check-package
	@Scripts/check-deb

# What strangers install: packages from bare systems, the source, what is new and checksums, in
# .build/release-VERSION. It takes hours as root; with ARGS=--no-test, half an hour a release.
release: release-dependencies
	@Scripts/make-release $(ARGS)

clean:
	rm -rf .build .build-*

swift:
	@command -v $(SWIFT) >/dev/null 2>&1 || { \
	  echo "panda: Swift 6.2 or newer is needed: install it from https://www.swift.org/install/linux, then run make again." >&2; \
	  exit 1; }

dependencies:
	@Scripts/install-dependencies

test-dependencies:
	@Scripts/install-dependencies --test

package-dependencies:
	@Scripts/install-dependencies --package

release-dependencies:
	@Scripts/install-dependencies --release
