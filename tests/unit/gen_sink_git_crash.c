/* The git sink: locks, kills, and what becomes of its packs, looked at with the real git. */
#include <signal.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <utime.h>

#include "tests/unit/gen_sink_git_help.h"

static void live_lock_is_waited_for_then_busy(void **state) {
  place *p = *state;
  maker *m = basic();
  publish(p, m);
  char lock[128];
  snprintf(lock, sizeof lock, "%s/hmirror.lock", p->repo);
  int fd = open(lock, O_RDWR | O_CREAT, 0644);
  assert_int_equal(flock(fd, LOCK_EX), 0);
  hm_err err = refused(p);
  assert_int_equal(err.code, HM_E_BUSY);
  assert_non_null(strstr(err.what, "hmirror.lock"));
  close(fd);
  publish(p, m);
  maker_free(m);
}

static void stale_ref_lock_is_cleared(void **state) {
  place *p = *state;
  maker *m = basic();
  publish(p, m);
  char lock[128];
  snprintf(lock, sizeof lock, "%s/refs/heads/mirror.lock", p->repo);
  close(open(lock, O_WRONLY | O_CREAT, 0644));
  utime(lock, &(struct utimbuf){ 1, 1 });   /* long ago: nobody's */
  put(m, "README.md", "two\n");
  publish(p, m);
  sh(p,
     "echo 99999 > mirror.git/hmirror.lock; touch mirror.git/refs/heads/mirror.lock mirror.git/objects/pack/tmp_hmirror_pack");
  put(m, "README.md", "three\n");   /* our dead process's */
  publish(p, m);
  assert_holds(p, m);
  assert_string_equal(sh(p, "ls mirror.git/objects/pack mirror.git/refs/heads | grep -v ^pack-"),
                      "mirror.git/objects/pack:\n\nmirror.git/refs/heads:\nmirror");
  maker_free(m);
}

static void packed_refs_and_gc(void **state) {
  place *p = *state;
  maker *m = large("one");
  publish(p, m);
  put(m, "mark", "two");
  publish(p, m);
  sh(p, "git -C mirror.git gc -q --prune=now && git -C mirror.git pack-refs --all");
  assert_false(publish(p, m).created);
  put(m, "mark", "three");
  publish(p, m);
  assert_holds(p, m);
  assert_string_equal(sh(p, "git -C mirror.git log --oneline mirror | wc -l"), "3");
  maker_free(m);
}

static void kill_at_any_moment(void **state) {
  place *p = *state;
  maker *m = large("zero");
  uint64_t seed = 7;
  publish(p, m);
  for (int i = 0; i < 40; i++) {
    pid_t child = fork();
    if (child == 0) {
      char mark[32];
      hm_git_tip tip;
      hm_git_result r;
      for (int k = 0;; k++) {
        snprintf(mark, sizeof mark, "%d.%d", i, k);
        for (size_t f = 0; f < m->site.n;
             f += k % 2 ? 1 : 50) /* large packs and small ones in turn */
          m->files[f].bytes = hm_str_fmt(m->a, "%s %zu", mark, f);
        hm_git *g;
        if (hm_git_open(&p->opt, p->a, &g, &tip, NULL) == 0)
          hm_git_publish(g, &m->site, HM_STR(MESSAGE), &r, NULL);
        hm_git_close(g);
      }
    }
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    usleep((useconds_t)(seed >> 33) % 40000);
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    sh(p, "git -C mirror.git rev-parse -q --verify mirror^{tree}");
    if (i % 5 == 4) {
      char mark[32];
      snprintf(mark, sizeof mark, "after %d", i);
      put(m, "mark", mark);
      assert_true(publish(p, m).created);
      assert_string_equal(sh(p, "git -C mirror.git cat-file -p mirror:mark"), mark);
    }
  }
  assert_holds(p, m);
  assert_string_equal(sh(p, "ls mirror.git/objects/pack | grep tmp_ || true"), "");
  maker_free(m);
}

static void publish_many(place *p, maker *m, int from, int to) {
  for (int i = from; i < to; i++) {
    put(m, "d1/e1/f1.md", hm_str_fmt(m->a, "publication %d\n", i).p);
    assert_true(publish(p, m).created);
  }
}

/* Packs of publications are gathered; those of others, claimed ones and damaged ones are not. */
static void gathers_packs(void **state) {
  place *p = *state;
  maker *m = basic();
  publish_many(p, m, 0, 10);
  sh(p, "git -C mirror.git gc -q");
  publish_many(p, m, 10, 14);
  sh(p,
     "cd mirror.git/objects/pack; for i in $(ls *.idx | sed 's/.idx//'); do grep -q $i ../../hmirror.packs || echo $i; done > ../../theirs");
  sh(p,
     "cd mirror.git/objects/pack; f=$(tail -n 1 ../../hmirror.packs); touch $f.keep; echo $f > ../../kept");
  publish_many(p, m, 14, 15);
  sh(p,
     "cd mirror.git/objects/pack; f=$(tail -n 1 ../../hmirror.packs); cp $f.pack ../../whole; echo $f > ../../bad; chmod u+w $f.pack; "
     "printf x | dd of=$f.pack bs=1 seek=$(($(stat -c %%s $f.pack) - 22)) conv=notrunc status=none");
  publish_many(p, m, 15, 60);
  assert_string_equal(
      sh(p,
         "cd mirror.git/objects/pack; test -e $(cat ../../theirs).pack && test -e $(cat ../../kept).pack && "
         "test -e $(cat ../../bad).pack && echo there"),
      "there");
  assert_string_equal(sh(p, "test $(ls mirror.git/objects/pack/*.pack | wc -l) -lt 24 && echo few"),
                      "few");
  sh(p, "cd mirror.git/objects/pack; cp -f ../../whole $(cat ../../bad).pack");
  sh(p, "git -C mirror.git fsck --strict --full 2>&1 | grep -v '^notice' | (! grep .)");
  assert_string_equal(sh(p, "git -C mirror.git log --oneline mirror | wc -l"), "60");
  assert_holds(p, m);
  sh(p, "rm mirror.git/hmirror.packs");
  publish_many(p, m, 60, 80);
  sh(p, "git -C mirror.git fsck --strict --full 2>&1 | grep -v '^notice' | (! grep .)");
  maker_free(m);
}

/* Earlier versions wrote deltas by id into packs of theirs: such a pack is gathered whole. */
static void gathers_deltas(void **state) {
  place *p = *state;
  maker *m = basic();
  publish_many(p, m, 0, 1);
  sh(p,
     "cd mirror.git; seq 1 80 >../a; seq 2 81 >../b; git hash-object -w ../a ../b >../ids; "
     "n=$(git pack-objects -q --depth=2 objects/pack/pack <../ids); echo pack-$n >>hmirror.packs; git prune-packed; "
     "git verify-pack -v objects/pack/pack-$n.pack | grep -c 'blob.* 1 [0-9a-f]*$' | grep -qx 1; echo $n >../old");
  publish_many(p, m, 1, 60);
  assert_string_equal(
      sh(p, "test -e mirror.git/objects/pack/pack-$(cat old).pack || echo gathered"), "gathered");
  sh(p,
     "for i in $(cat ids); do git -C mirror.git cat-file blob $i >got; cmp -s got a || cmp got b; done");
  sh(p, "git -C mirror.git fsck --strict --full | (! grep -v dangling)");
  maker_free(m);
}

/* Past 2 GiB offsets have 64 bits; made by hand, since no test should write such a pack. */
static void large_offsets(void **state) {
  (void)state;
  hm_idx_entry e[3] = { { .crc = 1, .offset = 12 },
                        { .crc = 2, .offset = 0x7fffffff },
                        { .crc = 3, .offset = 0x123456789a } };
  for (int i = 0; i < 3; i++) e[i].id.id[0] = (unsigned char)(i * 100);
  unsigned char sum[20] = { 0 };
  hm_buf b = { 0 };
  hm_git_write_pack_index(e, 3, sum, &b);
  size_t offsets = 8 + 1024 + 3 * 20 + 3 * 4;
  assert_int_equal(b.n, offsets + 3 * 4 + 8 + 40);
  assert_memory_equal(b.p + offsets,
                      "\0\0\0\x0c\x7f\xff\xff\xff\x80\0\0\0\0\0\0\x12\x34\x56\x78\x9a", 20);
  assert_memory_equal(b.p + 8 + 4 * 99, "\0\0\0\x01", 4);
  assert_memory_equal(b.p + 8 + 4 * 100, "\0\0\0\x02", 4);
  hm_buf_free(&b);
}

int main(void) {
#define T(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
  const struct CMUnitTest tests[] = {
    T(live_lock_is_waited_for_then_busy),
    T(stale_ref_lock_is_cleared),
    T(packed_refs_and_gc),
    T(kill_at_any_moment),
    T(gathers_packs),
    T(gathers_deltas),
    T(large_offsets),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
