# hmirror. `make` builds, `make demo` shows, `make check` tests.
# Layers in the order in which they may look at each other: each may include
# from those before it, never from those after it (make lint checks that).
LAYERS = core/base core/markdown core/decision core/net core/tree core/prose core/value core/foreign core/words core/passage core/lacks core/notes core/sqlite core/record core/store core/claim core/recall core/slot core/detect core/sweep core/review core/judge gen/render gen/draw gen/page gen/site gen/sink gen/history gen/check gen/mirror gen/api gen/mcp gen/http gen/cli gen/verbs

BUILD   ?= build
PREFIX  ?= /usr/local
CC      ?= cc
# Packages add link-time optimization: sweeps take 5 to 8 % less time, the build twice as long
CFLAGS  ?= -O3 -g
VERSION  = 0.1.0
LIBS     = -lsqlite3 -lcmark-gfm-extensions -lcmark-gfm -lgit2 -ldeflate -lz -lyajl -lyaml -lcsv \
           -lutf8proc -lnettle -lxxhash -lstemmer -ludunits2 -lmicrohttpd -lcurl -lm -lpthread $(GRAPHVIZ)
# The layout plugin is linked by its name, since a search for plugins would find those of the machine.
# Asked when something is linked: `setup` may install pkg-config in the same run.
GRAPHVIZ_DIR = $(shell pkg-config --variable=libdir libgvc)/graphviz
GRAPHVIZ = -L$(GRAPHVIZ_DIR) -Wl,-rpath,$(GRAPHVIZ_DIR) -lgvplugin_dot_layout -lgvc -lcgraph
CHECK_LIBS = -lcmocka
WARN     = -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wpointer-arith -Wwrite-strings -Wvla
HM_CFLAGS = -std=gnu11 $(WARN) -D_GNU_SOURCE -I. -DHM_VERSION='"$(VERSION)"' $(CFLAGS)

DEBIAN = build-essential pkg-config libsqlite3-dev libcmark-gfm-dev libcmark-gfm-extensions-dev libgit2-dev \
         libdeflate-dev zlib1g-dev libyajl-dev libyaml-dev libutf8proc-dev libstemmer-dev libudunits2-dev \
         nettle-dev libxxhash-dev libmicrohttpd-dev libcsv-dev libcurl4-openssl-dev libgraphviz-dev
DEBIAN_CHECK = libcmocka-dev \
               clang-format libxml2-utils sqlite3 git curl python3 chromium fonts-dejavu-core mandoc strace zsh fish \
               lighttpd lighttpd-mod-openssl openssh-server openssh-client openssl
DEBIAN_DEB = debhelper dpkg-dev fakeroot lintian
DEBIAN_BENCH = hugo sqlite3 git python3 time wrk gringo

src   = $(filter-out gen/verbs/main.c,$(wildcard $(1)/*.c))
objs  = $(patsubst %.c,$(BUILD)/obj/%.o,$(call src,$(1)))
lib   = $(BUILD)/lib/lib$(subst /,_,$(1)).a
ALL_LIBS = $(foreach l,$(LAYERS),$(call lib,$(l)))

all: $(BUILD)/hmirror

# Nothing is compiled before the packages are there
$(BUILD)/obj/%.o: %.c | setup
	@mkdir -p $(@D)
	$(if $(V),,@echo '  cc  $@' &&) $(CC) $(HM_CFLAGS) -MMD -MP -c $< -o $@

# The folder is a prerequisite so that a file that went is not linked any more
define LAYER_RULE
$(call lib,$(1)): $(call objs,$(1)) $(1)
	@mkdir -p $$(@D)
	@rm -f $$@
	@ar rcs $$@ $$(filter %.o,$$^)
endef
$(foreach l,$(LAYERS),$(eval $(call LAYER_RULE,$(l))))

# The templates, the manual of their variables, the theme, the recipes and the rules inside the
# program. The folders are prerequisites so that a file that comes or goes is noticed too.
EMBEDDED := $(sort $(shell find templates themes -type f ! -name '.*' ! -name '*~')) \
           gen/cli/hmirror-templates.5
RECIPES = $(wildcard site-example/stores/*.yml)
$(BUILD)/gen/builtins.c: gen/render/embed.sh $(EMBEDDED) $(shell find templates themes -type d)
	@mkdir -p $(@D)
	@gen/render/embed.sh builtins $(EMBEDDED) >$@.tmp && mv $@.tmp $@
$(BUILD)/gen/recipe_files.c: gen/render/embed.sh $(RECIPES) site-example/stores
	@mkdir -p $(@D)
	@gen/render/embed.sh recipe_files $(RECIPES) >$@.tmp && mv $@.tmp $@
RULES = $(wildcard site-example/rules/*.sql)
$(BUILD)/gen/rule_files.c: gen/render/embed.sh $(RULES) site-example/rules
	@mkdir -p $(@D)
	@gen/render/embed.sh rule_files $(RULES) >$@.tmp && mv $@.tmp $@
EMBEDDED_DATA = $(BUILD)/obj/gen/render/builtins.o $(BUILD)/obj/gen/render/recipe_files.o \
                $(BUILD)/obj/gen/render/rule_files.o
$(EMBEDDED_DATA): $(BUILD)/obj/gen/render/%.o: $(BUILD)/gen/%.c | setup
	@mkdir -p $(@D)
	$(if $(V),,@echo '  cc  $@' &&) $(CC) $(HM_CFLAGS) -MMD -MP -c $< -o $@
$(call lib,gen/render): $(EMBEDDED_DATA)

# What the program was made from, for caches that only it may read
SOURCES := $(sort $(shell find core gen -name '*.[ch]' -o -name '*.sql')) $(EMBEDDED) $(RULES)
$(BUILD)/gen/build_id.c: $(SOURCES)
	@mkdir -p $(@D)
	@printf '#include "gen/mirror/cache.h"\nconst char hm_build_id[] = "%s %.16s";\n' '$(VERSION)' "$$(cat $(SOURCES) | sha256sum)" >$@.tmp && mv $@.tmp $@
$(BUILD)/obj/gen/mirror/build_id.o: $(BUILD)/gen/build_id.c | setup
	@mkdir -p $(@D)
	$(if $(V),,@echo '  cc  $@' &&) $(CC) $(HM_CFLAGS) -MMD -MP -c $< -o $@
$(call lib,gen/mirror): $(BUILD)/obj/gen/mirror/build_id.o

$(BUILD)/hmirror: $(BUILD)/obj/gen/verbs/main.o $(ALL_LIBS)
	$(if $(V),,@echo '  cc  $@' &&) $(CC) $(HM_CFLAGS) $(LDFLAGS) $< -Wl,--start-group $(ALL_LIBS) -Wl,--end-group $(LIBS) -o $@

# .incbin is invisible to -MMD
$(BUILD)/obj/core/sqlite/migrate.o: core/sqlite/schema.sql
# ... and defines symbols that link-time optimization does not see
$(BUILD)/obj/core/sqlite/migrate.o: HM_CFLAGS += -fno-lto

# tests/unit/core_base_text.c tests core/base and may link it and the layers before it
unit_layer = $(firstword $(foreach l,$(LAYERS),$(if $(filter $(subst /,_,$(l))_%,$(1)),$(l))))
# $(call upto,core/store): the libraries of a layer and of those before it
so_far :=
$(foreach l,$(LAYERS),$(eval so_far += $(call lib,$(l)))$(eval upto_$(l) := $(so_far)))
upto = $(upto_$(1))
UNITS = $(patsubst tests/unit/%.c,%,$(wildcard tests/unit/*.c))
# What is tested is the libraries, made as they are shipped: to optimize the tests themselves would take half of their compilation
UNIT_CFLAGS = -O0 -fno-lto
define UNIT_RULE
$(BUILD)/unit/$(1): tests/unit/$(1).c $(call upto,$(call unit_layer,$(1)))
	@mkdir -p $$(@D)
	$(if $(V),,@echo '  cc  $$@' &&) $(CC) $(HM_CFLAGS) $(UNIT_CFLAGS) $(LDFLAGS) -MMD -MP $$< -Wl,--start-group $(call upto,$(call unit_layer,$(1))) -Wl,--end-group $(LIBS) $(CHECK_LIBS) -o $$@
endef
$(foreach u,$(UNITS),$(eval $(call UNIT_RULE,$(u))))
# What the end-to-end tests run in place of a new process for each command
$(BUILD)/e2e/forks: tests/e2e/forks.c gen/verbs/main.c $(BUILD)/hmirror
	@mkdir -p $(@D)
	$(if $(V),,@echo '  cc  $@' &&) $(CC) $(HM_CFLAGS) $(UNIT_CFLAGS) $(LDFLAGS) $< -Wl,--start-group $(ALL_LIBS) -Wl,--end-group $(LIBS) -o $@
units: $(patsubst %,$(BUILD)/unit/%,$(UNITS)) $(BUILD)/e2e/forks

# A fuzz target with the plain main() that replays its corpus
FUZZ = $(patsubst tests/fuzz/fuzz_%.c,%,$(wildcard tests/fuzz/fuzz_*.c))
$(BUILD)/fuzz/replay_%: tests/fuzz/fuzz_%.c tests/fuzz/replay.c $(ALL_LIBS)
	@mkdir -p $(@D)
	$(if $(V),,@echo '  cc  $@' &&) $(CC) $(HM_CFLAGS) -fno-lto $(LDFLAGS) $< tests/fuzz/replay.c -Wl,--start-group $(ALL_LIBS) -Wl,--end-group $(LIBS) -o $@
$(BUILD)/fuzz/fuzz_%: tests/fuzz/fuzz_%.c $(ALL_LIBS)
	@mkdir -p $(@D)
	$(if $(V),,@echo '  cc  $@' &&) $(CC) $(HM_CFLAGS) -fsanitize=fuzzer $(LDFLAGS) $< -Wl,--start-group $(ALL_LIBS) -Wl,--end-group $(LIBS) -o $@
replays: $(patsubst %,$(BUILD)/fuzz/replay_%,$(FUZZ))
fuzzers: $(patsubst %,$(BUILD)/fuzz/fuzz_%,$(FUZZ))

# --- the two commands -----------------------------------------------------
setup:
	@tests/setup.sh $(DEBIAN)
setup-check: setup
	@tests/setup.sh $(DEBIAN_CHECK)
	@tests/npm.sh build/npm

demo: setup
	@tests/setup.sh git
	@$(MAKE) --no-print-directory all
	@site-example/demo.sh $(BUILD)

check: setup-check
	@$(MAKE) --no-print-directory -j$$(nproc) all units replays
	@HM_ACCEPT=$(ACCEPT) THOROUGH=$(THOROUGH) tests/run.sh $(BUILD) $(T)

# --- the same under watch ---------------------------------------------------
SAN = -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer
asan: setup-check
	@HM_WATCHED=1 ASAN_OPTIONS=detect_leaks=1:allocator_may_return_null=1:exitcode=99 \
	  UBSAN_OPTIONS=print_stacktrace=1:exitcode=99 \
	  LSAN_OPTIONS=suppressions=$(CURDIR)/tests/lsan.supp:print_suppressions=0:exitcode=99 \
	  $(MAKE) --no-print-directory check BUILD=build/asan CFLAGS="-O1 -g $(SAN)" LDFLAGS="$(SAN)"
valgrind: setup-check
	@tests/setup.sh valgrind
	@$(MAKE) --no-print-directory -j$$(nproc) all units replays BUILD=build/valgrind CFLAGS="-O1 -g"
	@HM_WATCHED=1 HM_TEST_TIMEOUT=3600 tests/valgrind.sh build/valgrind $(T)

# Any report of a sanitizer ends a target, and the run. FUZZ="import page": these targets only.
FUZZ_SECONDS ?= 30
# 0: another one each time; CI has one of its own, so that it fails by a change and not by chance
FUZZ_SEED ?= 0
# Short stacks of allocations and a small quarantine: half of an input's time went there. Leaks of the
# import are looked for by `make asan`, which replays its corpus: here they cost a tenth of its inputs.
FUZZ_ASAN = malloc_context_size=1:quarantine_size_mb=4:thread_local_quarantine_size_kb=256:max_malloc_fill_size=0
fuzz: setup-check
	@tests/setup.sh clang libclang-rt-14-dev
	@$(MAKE) --no-print-directory -j$$(nproc) fuzzers BUILD=build/fuzzing CC=clang \
	  CFLAGS="-O1 -g -fsanitize=fuzzer-no-link $(SAN)" LDFLAGS="$(SAN)"
	@for t in $(FUZZ); do mkdir -p build/fuzzing/corpus/$$t && \
	  echo "fuzz: $$t for $(FUZZ_SECONDS) s" && leaks=1 && { [ $$t != import ] || leaks=0; } && \
	  ASAN_OPTIONS=$(FUZZ_ASAN) \
	  build/fuzzing/fuzz/fuzz_$$t -seed=$(FUZZ_SEED) -max_total_time=$(FUZZ_SECONDS) -max_len=65536 -timeout=10 -rss_limit_mb=4096 \
	    -detect_leaks=$$leaks -artifact_prefix=build/fuzzing/$$t- build/fuzzing/corpus/$$t tests/fuzz/corpus/$$t >build/fuzzing/$$t.log 2>&1 || \
	  { tail -n 30 build/fuzzing/$$t.log; exit 1; }; tail -n 1 build/fuzzing/$$t.log; done

lint: setup-check
	@$(MAKE) --no-print-directory -j$$(nproc) $(patsubst build/%,build/lint/%,$(ALL_LIBS)) BUILD=build/lint CFLAGS="-O2 -Werror" >/dev/null
	@tests/lint.sh $(LAYERS)

$(BUILD)/read_store: tests/bench/read_store.c $(call upto,core/store)
	@$(CC) $(HM_CFLAGS) $(LDFLAGS) $< -Wl,--start-group $(call upto,core/store) -Wl,--end-group $(LIBS) -o $@

$(BUILD)/publish_files: tests/bench/publish_files.c $(call upto,gen/sink)
	@$(CC) $(HM_CFLAGS) $(LDFLAGS) $< -Wl,--start-group $(call upto,gen/sink) -Wl,--end-group $(LIBS) -o $@

$(BUILD)/running: tests/bench/running.c $(ALL_LIBS)
	@$(CC) $(HM_CFLAGS) $(LDFLAGS) $< -Wl,--start-group $(ALL_LIBS) -Wl,--end-group $(LIBS) -o $@

$(BUILD)/texts: tests/bench/texts.c $(call upto,core/detect)
	@$(CC) $(HM_CFLAGS) $(LDFLAGS) $< -Wl,--start-group $(call upto,core/detect) -Wl,--end-group $(LIBS) -o $@

$(BUILD)/quality/read: tests/quality/read.c $(call upto,core/claim)
	@mkdir -p $(@D)
	@$(CC) $(HM_CFLAGS) $(LDFLAGS) -fno-lto $< -Wl,--start-group $(call upto,core/claim) -Wl,--end-group $(LIBS) -o $@

# How well text is read, on the labelled set; HM_SHARED_DATA: the folder of the public data
quality: export PYTHONDONTWRITEBYTECODE = 1
quality: setup
	@tests/setup.sh python3
	@$(MAKE) --no-print-directory $(BUILD)/quality/read $(BUILD)/hmirror
	@python3 tests/quality/check.py
	@python3 tests/quality/score.py $(BUILD)/quality/read
	@python3 tests/quality/stories.py $(BUILD)/hmirror
	@python3 tests/quality/recall.py $(BUILD)/hmirror
	@python3 tests/quality/similar.py $(BUILD)/hmirror
	@python3 tests/quality/stores.py $(BUILD)/hmirror
	@python3 tests/quality/documents.py $(BUILD)/hmirror

bench: setup
	@tests/setup.sh $(DEBIAN_BENCH)
	@$(MAKE) --no-print-directory all $(BUILD)/read_store $(BUILD)/publish_files $(BUILD)/running $(BUILD)/texts
	@python3 tests/bench/bench.py $(BUILD) $(BENCH)

# Pages as Lighthouse sees them; takes minutes, and 190 MB of npm, so check does without it
lighthouse: all setup-check
	@tests/npm.sh $(BUILD)/lighthouse tests/lighthouse
	@HMIRROR=$(CURDIR)/$(BUILD)/hmirror python3 tests/lighthouse/run.py $(BUILD)/lighthouse

# The README's pictures, made anew
screenshots: setup-check
	@$(MAKE) --no-print-directory all
	@HMIRROR=$(CURDIR)/$(BUILD)/hmirror python3 tests/e2e/browser.py --shots site-example/screenshots

# --- installation -------------------------------------------------------------
ZSHDIR ?= $(PREFIX)/share/zsh/site-functions
BASHDIR = $(PREFIX)/share/bash-completion/completions
FISHDIR = $(PREFIX)/share/fish/vendor_completions.d
DOCDIR  = $(PREFIX)/share/doc/hmirror
MANDIR  = $(PREFIX)/share/man
MANUAL  = man1/hmirror.1 man5/hmirror-config.5 man5/hmirror-facts.5 man5/hmirror-templates.5 \
          man7/hmirror-trust.7
INSTALLED = $(PREFIX)/bin/hmirror $(addprefix $(MANDIR)/,$(MANUAL)) $(DOCDIR)/README.md $(DOCDIR)/LICENSE \
            $(BASHDIR)/hmirror $(FISHDIR)/hmirror.fish $(ZSHDIR)/_hmirror
install: all
	install -d $(addprefix $(DESTDIR),$(sort $(dir $(INSTALLED))))
	install -m 755 $(BUILD)/hmirror $(DESTDIR)$(PREFIX)/bin/hmirror
	install -m 644 $(wildcard gen/cli/*.1) $(DESTDIR)$(MANDIR)/man1/
	install -m 644 $(wildcard gen/cli/*.5) $(DESTDIR)$(MANDIR)/man5/
	install -m 644 $(wildcard gen/cli/*.7) $(DESTDIR)$(MANDIR)/man7/
	install -m 644 README.md LICENSE $(DESTDIR)$(DOCDIR)/
	$(BUILD)/hmirror completion bash >$(DESTDIR)$(BASHDIR)/hmirror
	$(BUILD)/hmirror completion fish >$(DESTDIR)$(FISHDIR)/hmirror.fish
	$(BUILD)/hmirror completion zsh >$(DESTDIR)$(ZSHDIR)/_hmirror
uninstall:
	rm -f $(addprefix $(DESTDIR),$(INSTALLED))
	-rmdir $(DESTDIR)$(DOCDIR)

# A Debian package in build/deb, and the end-to-end tests against what it installs
deb: setup
	@tests/setup.sh $(DEBIAN_DEB)
	@.packaging/deb.sh $(BUILD) $(VERSION)
check-deb: setup-check deb
	@.packaging/check-deb.sh $(BUILD) $(VERSION)

# One archive in build/dist with all that the program needs, and a try in bare systems
dist: setup
	@.packaging/dist.sh $(BUILD) $(VERSION)
check-dist: dist
	@tests/setup.sh debootstrap
	@.packaging/check-dist.sh $(BUILD) $(VERSION)
check-container:
	@tests/setup.sh debootstrap
	@.packaging/check-container.sh $(BUILD)

clean:
	rm -rf $(BUILD)

.PHONY: all units replays fuzzers setup setup-check demo check asan valgrind fuzz lint bench quality screenshots lighthouse install uninstall deb check-deb dist check-dist check-container clean
.SECONDARY:
-include $(shell find $(BUILD)/obj $(BUILD)/unit -name '*.d' 2>/dev/null)
