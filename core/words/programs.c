/* Known programs by the names that people and manifests give them. */
#include <string.h>

#include "core/words/words.h"

/* A program by the words that name it, small, and how its slot is called. dotted: its name is an
 * everyday word, so that its version must have a dot. */
static const struct {
  const char *words, *slot;
  bool dotted;
} programs[] = {
  { "angular", "angular", false },
  { "astro", "astro", false },
  { "axios", "axios", false },
  { "axum", "axum", false },
  { "bun", "bun", false },
  { "cassandra", "cassandra", true },
  { "celery", "celery", false },
  { "clickhouse", "clickhouse", false },
  { "deno", "deno", false },
  { "django", "django", false },
  { "dotnet", "dotnet", false },
  { ".net", "dotnet", false },
  { "elasticsearch", "elasticsearch", false },
  { "electron", "electron", false },
  { "elixir", "elixir", false },
  { "eslint", "eslint", false },
  { "express", "express", false },
  { "express.js", "express", false },
  { "fastapi", "fastapi", false },
  { "fastify", "fastify", false },
  { "flask", "flask", false },
  { "flutter", "flutter", false },
  { "go", "go", true },
  { "golang", "go", false },
  { "gradle", "gradle", false },
  { "java", "java", false },
  { "jdk", "java", false },
  { "jest", "jest", false },
  { "keycloak", "keycloak", true },
  { "kotlin", "kotlin", false },
  { "kubernetes", "kubernetes", false },
  { "laravel", "laravel", false },
  { "livewire", "livewire", false },
  { "mariadb", "mariadb", false },
  { "maven", "maven", false },
  { "memcached", "memcached", true },
  { "mongodb", "mongodb", false },
  { "msrv", "rust", true }, /* the least one that is supported */
  { "mysql", "mysql", false },
  { "neo4j", "neo4j", true },
  { "nestjs", "nestjs", false },
  { "next.js", "next_js", false },
  { "nextjs", "next_js", false },
  { "nginx", "nginx", false },
  { "node", "node", false },
  { "node.js", "node", false },
  { "nodejs", "node", false },
  { "npm", "npm", false },
  { "nuxt", "nuxt", false },
  { "opensearch", "opensearch", true },
  { "php", "php", false },
  { "pinia", "pinia", false },
  { "pnpm", "pnpm", false },
  { "postgres", "postgres", false },
  { "postgresql", "postgres", false },
  { "prettier", "prettier", false },
  { "prisma", "prisma", false },
  { "pydantic", "pydantic", false },
  { "pytest", "pytest", false },
  { "python", "python", false },
  { "python3", "python", false },
  { "pytorch", "pytorch", false },
  { "rabbitmq", "rabbitmq", true },
  { "rails", "rails", false },
  { "react", "react", false },
  { "react native", "react native", false },
  { "react router", "react router", false },
  { "redis", "redis", false },
  { "ruby", "ruby", false },
  { "rust", "rust", true },
  { "rustc", "rust", true },
  { "scala", "scala", false },
  { "solidity", "solidity", false },
  { "spring boot", "spring boot", false },
  { "sqlalchemy", "sqlalchemy", false },
  { "sqlite", "sqlite", false },
  { "svelte", "svelte", false },
  { "swift", "swift", false },
  { "symfony", "symfony", false },
  { "tailwind", "tailwind", false },
  { "tailwindcss", "tailwind", false },
  { "tensorflow", "tensorflow", false },
  { "terraform", "terraform", false },
  { "typescript", "typescript", false },
  { "uv", "uv", true },
  { "vite", "vite", false },
  { "vitest", "vitest", false },
  { "vue", "vue", false },
  { "vue router", "vue router", false },
  { "webpack", "webpack", false },
  { "yarn", "yarn", false },
  { "zod", "zod", false },
  { "zustand", "zustand", false },
};

/* Packages that are the program itself, and no client of one: what a manifest calls them. */
static const struct {
  const char *package, *slot;
} packages[] = {
  { "@angular/core", "angular" },
  { "@nestjs/core", "nestjs" },
  { "Django", "django" },
  { "Flask", "flask" },
  { "astro", "astro" },
  { "axios", "axios" },
  { "axum", "axum" },
  { "celery", "celery" },
  { "django", "django" },
  { "electron", "electron" },
  { "eslint", "eslint" },
  { "express", "express" },
  { "fastapi", "fastapi" },
  { "fastify", "fastify" },
  { "flask", "flask" },
  { "jest", "jest" },
  { "next", "next_js" },
  { "nuxt", "nuxt" },
  { "pinia", "pinia" },
  { "prettier", "prettier" },
  { "prisma", "prisma" },
  { "pydantic", "pydantic" },
  { "pytest", "pytest" },
  { "react", "react" },
  { "react-native", "react native" },
  { "react-router", "react router" },
  { "react-router-dom", "react router" },
  { "sqlalchemy", "sqlalchemy" },
  { "svelte", "svelte" },
  { "tailwindcss", "tailwind" },
  { "tensorflow", "tensorflow" },
  { "torch", "pytorch" },
  { "typescript", "typescript" },
  { "vite", "vite" },
  { "vitest", "vitest" },
  { "vue", "vue" },
  { "vue-router", "vue router" },
  { "webpack", "webpack" },
  { "zod", "zod" },
  { "zustand", "zustand" },
};

const char *note_program_of_package(hm_str name) {
  for (size_t i = 0; i < HM_COUNT(packages); i++)
    if (hm_str_is(name, packages[i].package))
      return packages[i].slot;
  return NULL;
}

/* Do the words from i on, joined, begin with those of a name? Their number; 0: no. */
static size_t words_of_name(const note_words *w, size_t i, const char *name) {
  size_t n = 0;
  for (; *name; n++) {
    size_t length = strcspn(name, " ");
    if (i + n >= w->n || (n && !w->w[i + n].joined) ||
        !hm_str_eq(w->w[i + n].low, (hm_str){ name, length }))
      return 0;
    name += length + (name[length] == ' ');
  }
  return n;
}

size_t note_program_at(const note_words *w, size_t i, const char **slot, bool *dotted) {
  size_t longest = 0;
  for (size_t k = 0; k < HM_COUNT(programs) && w->w[i].low.n; k++) {
    size_t n =
        programs[k].words[0] == w->w[i].low.p[0] ? words_of_name(w, i, programs[k].words) : 0;
    if (n <= longest)
      continue;
    longest = n;
    *slot = programs[k].slot;
    *dotted = programs[k].dotted;
  }
  bool more = longest == 1 && i + 1 < w->n && note_word_in(w->w[i + 1].low, "js|css|lang|sdk");
  return longest + more;
}

bool note_names_program(const note_words *w) {
  const char *slot;
  bool dotted;
  for (size_t i = 0; i < w->n; i++)
    if (note_program_at(w, i, &slot, &dotted))
      return true;
  return false;
}
