# hmirror. `make` builds, `make demo` shows, `make check` tests.
# Layers in the order in which they may look at each other: each may include
# from those before it, never from those after it (make lint checks that).
LAYERS = core/base core/store core/claim core/detect gen/render gen/page gen/site gen/sink gen/cli

BUILD   ?= build
PREFIX  ?= /usr/local
CC      ?= cc
CFLAGS  ?= -O2 -g
VERSION  = 0.1.0
PKGS     = sqlite3 libcmark-gfm libgit2 libdeflate yajl libcyaml yaml-0.1 libutf8proc nettle libxxhash
LIBS     = -lsqlite3 -lcmark-gfm-extensions -lcmark-gfm -lgit2 -ldeflate -lyajl -lcyaml -lyaml \
           -lutf8proc -lnettle -lxxhash -lstemmer -ludunits2 -lm -lpthread
WARN     = -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wpointer-arith -Wwrite-strings -Wvla
HM_CFLAGS = -std=gnu11 $(WARN) -D_GNU_SOURCE -I. -DHM_VERSION='"$(VERSION)"' -DHM_DATADIR='"$(PREFIX)/share/hmirror"' $(CFLAGS)

DEBIAN = build-essential pkg-config libsqlite3-dev libcmark-gfm-dev libcmark-gfm-extensions-dev libgit2-dev \
         libdeflate-dev libyajl-dev libcyaml-dev libyaml-dev libutf8proc-dev libstemmer-dev libudunits2-dev \
         nettle-dev libxxhash-dev
DEBIAN_CHECK = libcmocka-dev sqlite3 git python3 chromium fonts-dejavu-core valgrind

src   = $(filter-out gen/cli/main.c,$(wildcard $(1)/*.c))
objs  = $(patsubst %.c,$(BUILD)/obj/%.o,$(call src,$(1)))
lib   = $(BUILD)/lib/lib$(subst /,_,$(1)).a
ALL_LIBS = $(foreach l,$(LAYERS),$(call lib,$(l)))

all: $(BUILD)/hmirror

$(BUILD)/obj/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(HM_CFLAGS) -MMD -MP -c $< -o $@

define LAYER_RULE
$(call lib,$(1)): $(call objs,$(1))
	@mkdir -p $$(@D)
	@rm -f $$@
	@ar rcs $$@ $$^
endef
$(foreach l,$(LAYERS),$(eval $(call LAYER_RULE,$(l))))

$(BUILD)/hmirror: $(BUILD)/obj/gen/cli/main.o $(ALL_LIBS)
	$(CC) $(HM_CFLAGS) $(LDFLAGS) $< -Wl,--start-group $(ALL_LIBS) -Wl,--end-group $(LIBS) -o $@

# tests/unit/core_base_text.c tests core/base and may link it and the layers before it
unit_layer = $(firstword $(foreach l,$(LAYERS),$(if $(filter $(subst /,_,$(l))_%,$(1)),$(l))))
upto = $(if $(1),$(shell l="$(1)"; for x in $(LAYERS); do echo $(BUILD)/lib/lib$$(echo $$x | tr / _).a; [ $$x = $$l ] && break; done))
UNITS = $(patsubst tests/unit/%.c,%,$(wildcard tests/unit/*.c))
define UNIT_RULE
$(BUILD)/unit/$(1): tests/unit/$(1).c $(call upto,$(call unit_layer,$(1)))
	@mkdir -p $$(@D)
	$(CC) $(HM_CFLAGS) $(LDFLAGS) -MMD -MP $$< -Wl,--start-group $(call upto,$(call unit_layer,$(1))) -Wl,--end-group $(LIBS) -lcmocka -o $$@
endef
$(foreach u,$(UNITS),$(eval $(call UNIT_RULE,$(u))))
units: $(patsubst %,$(BUILD)/unit/%,$(UNITS))

clean:
	rm -rf $(BUILD)

.PHONY: all units clean
-include $(shell find $(BUILD)/obj $(BUILD)/unit -name '*.d' 2>/dev/null)
