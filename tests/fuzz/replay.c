/* Runs a fuzz target over every file of a folder: the corpus as a test. */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int by_name(const void *a, const void *b) {
  return strcmp(*(char *const *)a, *(char *const *)b);
}

static int replay(const char *path) {
  FILE *f = fopen(path, "rb");
  if (!f) return -1;
  fseek(f, 0, SEEK_END);
  long n = ftell(f);
  rewind(f);
  uint8_t *data = malloc(n > 0 ? (size_t)n : 1);
  size_t got = fread(data, 1, (size_t)n, f);
  fclose(f);
  LLVMFuzzerTestOneInput(data, got);
  free(data);
  return 0;
}

int main(int argc, char **argv) {
  char *names[4096], path[4096];
  int n = 0;
  DIR *d = argc > 1 ? opendir(argv[1]) : NULL;
  if (!d) {
    printf("1..1\nnot ok 1 - no corpus\n");
    return 1;
  }
  for (struct dirent *e; (e = readdir(d)) && n < 4096;)
    if (e->d_name[0] != '.') names[n++] = strdup(e->d_name);
  closedir(d);
  qsort(names, (size_t)n, sizeof names[0], by_name);
  printf("1..%d\n", n);
  for (int i = 0; i < n; i++) {
    snprintf(path, sizeof path, "%s/%s", argv[1], names[i]);
    printf("%sok %d - %s\n", replay(path) ? "not " : "", i + 1, path);
    fflush(stdout);
    free(names[i]);
  }
  return 0;
}
