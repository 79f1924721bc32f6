/* Versions of a long file in one pack become deltas to the newest, and git reads them back. */
#include <fcntl.h>
#include <libdeflate.h>
#include <sys/stat.h>

#include "gen/sink/git_impl.h"
#include "tests/unit/core_base_prng.h"
#include "tests/unit/gen_sink_git_help.h"

enum { TEXT = 700000, VERSIONS = 12 };

static void some_text(hm_buf *b, uint64_t seed) {
  while (b->n < TEXT) hm_buf_fmt(b, "{\"path\":\"%llx\",\"sha256\":\"%016llx\"},\n", (unsigned long long)b->n, (unsigned long long)prng(&seed));
}

/* A line changed, a line more, a part gone, a part moved, or all of it once more. */
static void edit(hm_buf *b, uint64_t *random) {
  hm_buf old = *b, out = { 0 };
  hm_str s = hm_buf_view(&old);
  size_t at = prng(random) % s.n, n = prng(random) % 5 == 0 ? prng(random) % 100000 : prng(random) % 100 + 20;
  hm_buf_str(&out, hm_str_sub(s, 0, at));
  if (prng(random) % 3) hm_buf_fmt(&out, "%llx", (unsigned long long)prng(random));
  hm_buf_str(&out, hm_str_sub(s, at + n, s.n));
  if (prng(random) % 4 == 0) hm_buf_str(&out, hm_str_sub(s, at, at + n));
  hm_buf_free(&old);
  *b = out;
}

static void deflate_long(hm_git_long *l) {
  hm_git_deflater *d = hm_git_deflater_new();
  hm_git_long_cut(l, NULL);
  for (size_t i = 0; i < l->n; i++) assert_int_equal(hm_git_piece_deflate(d, &l->pieces[i]), 0);
  hm_git_deflater_free(d);
}

/* The object as git_pack.c writes it. */
static hm_git_raw whole(hm_str bytes, hm_arena *a) {
  hm_git_raw o = { .raw = HM_EMPTY };
  hm_buf b = { 0 };
  unsigned char head[12];
  hm_git_long *l = hm_git_long_new(bytes, a);
  deflate_long(l);
  hm_buf_add(&b, head, hm_git_entry_head(head, GIT_OBJECT_BLOB, bytes.n));
  hm_str *parts = hm_git_long_stream(l, a);
  for (size_t i = 0; i < l->n + 2; i++) hm_buf_str(&b, parts[i]);
  assert_int_equal(git_odb_hash(&o.e.id, bytes.p, bytes.n, GIT_OBJECT_BLOB), 0);
  o.raw = hm_buf_keep(&b, a);
  o.e.crc = libdeflate_crc32(0, o.raw.p, o.raw.n);
  hm_git_long_free(l);
  hm_buf_free(&b);
  return o;
}

static int type_of(const hm_git_raw *o) { return (unsigned char)o->raw.p[0] >> 4 & 7; }

static void write_pack(place *p, const hm_git_raw *o, size_t n) {
  hm_git_pack_file f;
  int dir = open(hm_str_fmt(p->a, "%s/objects/pack", p->repo).p, O_RDONLY | O_DIRECTORY);
  hm_git_packed *e = hm_alloc_array(p->a, n, sizeof *e);
  for (size_t i = 0; i < n; i++) e[i] = (hm_git_packed){ o[i].e.id, o[i].e.crc, &o[i].raw, 1 };
  assert_int_equal(hm_git_pack_write(&f, dir, e, n, false, 2), 0);
  assert_int_equal(hm_git_pack_place(&f), 0);
  hm_git_pack_close(&f, true);
  close(dir);
}

/* git checks each object against its id. */
static void git_reads(place *p, const hm_git_raw *o, size_t n) {
  char hex[41];
  write_pack(p, o, n);
  sh(p, "git -C mirror.git fsck --strict --full | (! grep -v dangling)");
  for (size_t i = 0; i < n; i++) sh(p, "git -C mirror.git cat-file -e %s", git_oid_tostr(hex, sizeof hex, &o[i].e.id));
}

static void versions_become_deltas(void **state) {
  place *p = *state;
  hm_git_raw o[VERSIONS];
  hm_buf text = { 0 };
  uint64_t random = 11;
  size_t bytes = 0;
  sh(p, "git init -q --bare mirror.git");
  some_text(&text, 1);
  for (size_t i = 0; i < VERSIONS; i++) {
    o[i] = whole(hm_buf_view(&text), p->a);
    edit(&text, &random);
  }
  size_t one = o[0].raw.n;
  hm_git_deltify(o, VERSIONS, p->a);
  assert_int_equal(type_of(&o[0]), GIT_OBJECT_BLOB);
  for (size_t i = 1; i < VERSIONS; i++) {
    assert_int_equal(type_of(&o[i]), GIT_OBJECT_REF_DELTA);
    bytes += o[i].raw.n;
  }
  assert_true(bytes < one);
  git_reads(p, o, VERSIONS);
  hm_buf_free(&text);
}

/* Nothing alike, too many kinds, too short, already a delta: as it was. */
static void others_are_left_alone(void **state) {
  place *p = *state;
  hm_git_raw o[8], was[8];
  sh(p, "git init -q --bare mirror.git");
  for (size_t i = 0; i < 6; i++) {
    hm_buf text = { 0 };
    some_text(&text, 100 + i);
    o[i] = whole(hm_buf_view(&text), p->a);
    hm_buf_free(&text);
  }
  o[6] = whole(HM_STR("short"), p->a);
  o[7] = o[5];
  o[7].raw = hm_str_dup(p->a, o[5].raw);
  ((char *)o[7].raw.p)[0] = (char)(GIT_OBJECT_REF_DELTA << 4);
  memcpy(was, o, sizeof o);
  hm_git_deltify(o, 8, p->a);
  assert_memory_equal(was, o, sizeof o);
  git_reads(p, o, 7);
}

/* Damage anywhere in a version. */
static void damaged_ones_are_left_alone(void **state) {
  place *p = *state;
  hm_buf text = { 0 };
  uint64_t random = 5;
  sh(p, "git init -q --bare mirror.git");
  some_text(&text, 1);
  hm_git_raw newest = whole(hm_buf_view(&text), p->a);
  edit(&text, &random);
  hm_git_raw old = whole(hm_buf_view(&text), p->a);
  for (int i = 0; i < 40; i++) {
    hm_git_raw o[2] = { newest, old };
    o[1].raw = hm_str_dup(p->a, old.raw);
    size_t at = i < 4 ? (size_t)i + 2 : i < 8 ? old.raw.n + 3 - (size_t)i : prng(&random) % old.raw.n;
    char *bad = (char *)o[1].raw.p;
    if (i == 9) o[1].raw.n -= 1;
    else if (i == 10) o[1].raw.n /= 2;
    else bad[at] = (char)(bad[at] ^ 1 << prng(&random) % 8);
    hm_str was = o[1].raw;
    hm_git_deltify(o, 2, p->a);
    assert_true(o[1].raw.p == was.p && o[1].raw.n == was.n);
  }
  hm_buf_free(&text);
}

/* What gathering makes of many publications of a long file. */
static void publications_gathered(void **state) {
  place *p = *state;
  hm_buf text = { 0 };
  uint64_t random = 9;
  maker *m = basic();
  some_text(&text, 1);
  for (int i = 0; i < 36; i++) {
    edit(&text, &random);
    put(m, "manifest.json", hm_str_z(p->a, hm_buf_view(&text)));
    publish(p, m);
  }
  assert_holds(p, m);
  sh(p, "git -C mirror.git rev-list --objects --all | grep -c manifest.json | grep -qx 36");
  sh(p, "cd mirror.git/objects/pack; for i in *.idx; do git verify-pack -v $i; done | grep -c 'blob.* 1 [0-9a-f]*$' | grep -qx 30");
  sh(p, "test $(du -sk mirror.git | cut -f1) -lt 6000");   /* some 400 KB each, else */
  hm_buf_free(&text);
  maker_free(m);
}

int main(void) {
#define T(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
  const struct CMUnitTest tests[] = { T(versions_become_deltas), T(others_are_left_alone), T(damaged_ones_are_left_alone), T(publications_gathered) };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
