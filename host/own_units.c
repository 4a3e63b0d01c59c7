#include "own_units.h"

#include "code_cache.h"
#include "digest.h"
#include "processors.h"
#include "safe_file.h"
#include "toolchain.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ARGUMENTS_MOST = 96, KEY_ROOM = 48 };

/* What all units are made with. */
typedef struct {
  const sd_toolchain *tools;
  sd_code_cache cache;
  sd_compiler compiler;
  const char *maker; /* of the compiler, once a method is compiled */
  char kernels[1024], digest[33];
} shop;

/* One that is being made. */
typedef struct {
  const sd_unit *unit;
  char key[KEY_ROOM], folder[SD_CODE_PATH], log[SD_CODE_PATH + 32];
  sd_unit_names names;
  sd_text line; /* of the problem, for its list */
  int wide;     /* so many lane groups are one of those that a source of their own has; 0: there is none */
  long process;
} work;

static sd_status out_of_memory(sd_error *error) {
  return sd_fail(error, SD_NO_MEMORY, "source: out of memory");
}

static const char *name_of(const sd_source *source) {
  return sd_document_name(source->document);
}

/* ---- who makes them ---- */

static const void *load_shared(const char *path, const sd_unit *u, const sd_unit_names *names, char why[SD_LOAD_WHY]) {
  char name[160] = "sd_own_problem";
  const sd_shape ours = SD_SHAPE;
  void *code = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!code) return snprintf(why, SD_LOAD_WHY, "%s", dlerror()), NULL;
  if (u->method_id) snprintf(name, sizeof name, "sd_kernels_%s_%s_%s", u->family, names->method, u->variant);
  const sd_shape *shape = dlsym(code, "sd_own_shape");
  const void *symbol = dlsym(code, name);
  if (!shape || !symbol) return snprintf(why, SD_LOAD_WHY, "it lacks what it should export"), NULL;
  if (shape->job == ours.job && shape->kernels == ours.kernels && shape->accounts == ours.accounts) return symbol;
  return snprintf(why, SD_LOAD_WHY, "the kernels are of another version than the program"), NULL;
}

static const sd_toolchain for_processors = {
    .instance = "instance.c",
    .exports = "__attribute__((visibility(\"default\"))) extern const sd_shape sd_own_shape;\n"
               "const sd_shape sd_own_shape = SD_SHAPE;\n",
    .suffix = "so",
    .libraries = {"-lm"},
    .find = sd_compiler_find,
    .begin = sd_compiler_begin,
    .end = sd_compiler_end,
    .load = load_shared};

static const sd_toolchain *tools_for(const char *variant) {
#if SPINDRIFT_CUDA
  if (variant && !strcmp(variant, "cuda")) return &sd_device_toolchain;
#endif
  (void)variant;
  return &for_processors;
}

/* For all units that it makes, for this variant, and by this compiler. */
enum { FLAGS = 3 };
static void flags_of(const shop *s, const sd_unit *u, const char *maker, const char *const *flags[FLAGS]) {
  flags[0] = s->tools == &for_processors ? sd_compiler_flags("") : NULL;
  flags[1] = u->method_id ? sd_compiler_flags(u->variant) : NULL;
  flags[2] = u->method_id && flags[0] ? sd_compiler_flags(maker) : NULL;
}

/* ---- lines of the lists ---- */

/* Of a file of the user's own, or of the family's list in the kernels. */
static sd_status find_line(const shop *s, const sd_unit *u, sd_source_kind kind, sd_source *list, sd_source_line *line,
                           sd_error *error) {
  char path[1200];
  const sd_source *own = kind == SD_SOURCE_OF_PROBLEM ? u->problem : u->method;
  const char *id = kind == SD_SOURCE_OF_PROBLEM ? u->problem_id : u->method_id;
  if (own) return sd_source_find(own, u->family, id, line, error);
  snprintf(path, sizeof path, "%s/%.100s/%ss.def", s->kernels, u->family, sd_source_kind_text(kind));
  *list = (sd_source){.kind = kind};
  SD_TRY(sd_document_read(path, &list->document, error));
  return sd_source_find(list, u->family, id, line, error);
}

/* "...", as a compiler reads it. */
static void add_quoted(sd_text *to, const char *text) {
  sd_text_add(to, "\"");
  for (; *text; text++) sd_text_add(to, "%s%c", *text == '"' || *text == '\\' ? "\\" : "", *text == '\n' ? '?' : *text);
  sd_text_add(to, "\"");
}

static sd_status take_lines(const shop *s, work *w, sd_error *error) {
  const sd_unit *u = w->unit;
  for (int kind = SD_SOURCE_OF_PROBLEM; kind <= SD_SOURCE_OF_METHOD; kind++) {
    sd_source list = {.document = NULL};
    sd_source_line line;
    if (kind == SD_SOURCE_OF_METHOD && !u->method_id) continue;
    sd_status status = find_line(s, u, (sd_source_kind)kind, &list, &line, error);
    if (!status) {
      strcpy(kind == SD_SOURCE_OF_PROBLEM ? w->names.problem : w->names.method, line.name);
      if (kind == SD_SOURCE_OF_PROBLEM && u->problem) {
        sd_text_add(&w->line, "#line %d ", line.number);
        add_quoted(&w->line, name_of(u->problem));
      }
      if (kind == SD_SOURCE_OF_PROBLEM) sd_text_add(&w->line, "\n%.*s\n", (int)line.length, line.text);
      sd_source_line_free(&line);
    }
    sd_document_let_go(list.document);
    SD_TRY(status);
  }
  return SD_OK;
}

/* ---- its files ---- */

static sd_status write_file(const work *w, const char *name, sd_text *text, sd_error *error) {
  char path[SD_CODE_PATH + 64];
  size_t length = text->length;
  char *bytes = sd_text_take(text);
  if (!bytes) return out_of_memory(error);
  snprintf(path, sizeof path, "%s/%s", w->folder, name);
  FILE *file = fopen(path, "we");
  int failed = !file || fwrite(bytes, 1, length, file) != length;
  if (file) failed |= fclose(file) != 0;
  free(bytes);
  return failed ? sd_fail(error, SD_IO, "%s: cannot be written: %s", sd_path_shown(path), strerror(errno)) : SD_OK;
}

/* The text as it is, but that the compiler speaks of the file it comes from. */
static sd_status write_source(const work *w, const char *name, const sd_source *source, sd_error *error) {
  sd_text text = {0};
  if (!source) return SD_OK;
  sd_text_add(&text, "#line 1 ");
  add_quoted(&text, name_of(source));
  sd_text_add(&text, "\n%s\n", sd_document_bytes(source->document));
  return write_file(w, name, &text, error);
}

/* As C++ where it is gcc that compiles it (kernels/wide.c). */
static const char *wide_source(const shop *s) {
  return strcmp(s->maker, "GNU") ? "wide_unit.c" : "wide_unit.cc";
}

static sd_status write_wide(const shop *s, const work *w, sd_error *error) {
  sd_text unit = {0};
  if (!w->wide) return SD_OK;
  sd_text_add(&unit, "#undef SD_GROUPS\n#define SD_GROUPS 4\n#include <wide.c>\n");
  return write_file(w, wide_source(s), &unit, error);
}

static sd_status write_files(const shop *s, work *w, sd_error *error) {
  const sd_unit *u = w->unit;
  sd_text problems = {0}, unit = {0};
  if (u->problem) sd_text_add(&problems, "#include \"own_problem.h\"\n");
  else sd_text_add(&problems, "#include <problems/%s.h>\n", u->problem_id);
  sd_text_add(&unit, "#include <%s>\n%s", u->method_id ? s->tools->instance : "entry.c", s->tools->exports);
  SD_TRY(write_source(w, "own_problem.h", u->problem, error));
  SD_TRY(write_source(w, "own_method.h", u->method, error));
  SD_TRY(write_file(w, "problems.h", &problems, error));
  SD_TRY(write_file(w, "problems.def", &w->line, error));
  SD_TRY(write_file(w, "unit.c", &unit, error));
  return write_wide(s, w, error);
}

/* ---- the compiler's arguments ---- */

typedef struct {
  const char *list[ARGUMENTS_MOST + 1];
  char *owned[ARGUMENTS_MOST];
  size_t count, owned_count;
  int failed;
} arguments;

static void add(arguments *a, const char *text) {
  if (a->count < ARGUMENTS_MOST) a->list[a->count++] = text;
  else a->failed = 1;
}

static void add_made(arguments *a, const char *format, const char *x, const char *y, const char *z) {
  sd_text text = {0};
  sd_text_add(&text, format, x, y, z);
  char *made = sd_text_take(&text);
  a->failed |= !made || a->owned_count == ARGUMENTS_MOST;
  if (a->failed) free(made);
  else add(a, a->owned[a->owned_count++] = made);
}

static void free_arguments(arguments *a) {
  for (size_t i = 0; i < a->owned_count; i++) free(a->owned[i]);
}

static void add_family_folders(arguments *a, const char *kernels, const char *family) {
  add_made(a, "-I%s/%s", kernels, family, "");
  add_made(a, "-I%s/%s/problems", kernels, family, "");
  add_made(a, "-I%s/%s/methods", kernels, family, "");
}

/* The family's own first; others that it may have its methods from. */
static void add_folders(arguments *a, const shop *s, const work *w) {
  struct dirent **entry;
  int count = scandir(s->kernels, &entry, NULL, alphasort);
  add_made(a, "-I%s", w->folder, "", "");
  add_family_folders(a, s->kernels, w->unit->family);
  add_made(a, "-I%s", s->kernels, "", "");
  add(a, "-include");
  add_made(a, "%s/groups.h", s->kernels, "", "");
  for (int i = 0; i < count; i++) {
    if (!strchr(entry[i]->d_name, '.') && strcmp(entry[i]->d_name, w->unit->family))
      add_family_folders(a, s->kernels, entry[i]->d_name);
    free(entry[i]);
  }
  if (count >= 0) free(entry);
}

static void add_definitions(arguments *a, const work *w) {
  const sd_unit *u = w->unit;
  add_made(a, "-DSD_FAMILY=%s", u->family, "", "");
  if (!u->method_id) {
    add(a, "-DSD_LANES=1");
    return;
  }
  add(a, "-DSD_ALONE");
  add_made(a, "-DSD_METHOD=%s", w->names.method, "", "");
  add_made(a, "-DSD_METHOD_ID=\"%s\"", u->method_id, "", "");
  if (u->method) add(a, "-DSD_METHOD_HEADER=\"own_method.h\"");
  else add_made(a, "-DSD_METHOD_HEADER=\"methods/%s.h\"", u->method_id, "", "");
  add_made(a, "-DSD_VARIANT=%s", u->variant, "", "");
  if (!w->wide) return;
  char groups[16];
  snprintf(groups, sizeof groups, "%d", w->wide);
  add_made(a, "-DSD_HAS_WIDE=%s", groups, "", "");
}

/* Passes that all methods of a family share are not the program's to lend; on a device they are no unit's. */
static void add_sources(arguments *a, const shop *s, const work *w) {
  char passes[1200];
  add_made(a, "-o%s/unit.%s", w->folder, s->tools->suffix, "");
  add_made(a, "%s/unit.c", w->folder, "", "");
  if (w->wide) add_made(a, "%s/%s", w->folder, wide_source(s), "");
  snprintf(passes, sizeof passes, "%s/%.100s/passes.c", s->kernels, w->unit->family);
  if (w->unit->method_id && *s->tools->libraries && !access(passes, R_OK)) add_made(a, "%s", passes, "", "");
  for (const char *const *l = s->tools->libraries; *l; l++) add(a, *l);
}

/* ---- making it ---- */

static const char *name_in_cache(const shop *s, const work *w, char name[KEY_ROOM + 8]) {
  snprintf(name, KEY_ROOM + 8, "%s.%s", w->key, s->tools->suffix);
  return name;
}

static sd_status start(const shop *s, work *w, sd_error *error) {
  arguments a = {.count = 0};
  const char *const *flags[FLAGS];
  flags_of(s, w->unit, s->maker, flags);
  add(&a, s->compiler.path);
  if (*s->compiler.target) add(&a, s->compiler.target);
  for (int i = 0; i < FLAGS; i++)
    for (const char *const *f = flags[i]; f && *f; f++) add(&a, *f);
  add_folders(&a, s, w);
  add_definitions(&a, w);
  add_sources(&a, s, w);
  if (!a.failed) w->process = s->tools->begin(&s->compiler, a.list, w->log);
  free_arguments(&a);
  if (a.failed) return out_of_memory(error);
  if (w->process >= 0) return SD_OK;
  return sd_fail(error, SD_FAILED, "%s: cannot be run: %s", sd_path_shown(s->compiler.path), strerror(errno));
}

static sd_status begin(shop *s, work *w, sd_error *error) {
  const sd_unit *u = w->unit;
  SD_TRY(sd_code_cache_workshop(&s->cache, w->folder, error));
  snprintf(w->log, sizeof w->log, "%s/log", w->folder);
  if (u->method_id && s->tools == &for_processors) {
    if (!*s->maker) s->maker = sd_compiler_maker(&s->compiler, w->log);
    w->wide = sd_compiler_wide(s->maker, u->variant, u->family, w->names.method);
  }
  SD_TRY(write_files(s, w, error));
  return start(s, w, error);
}

/* Wide groups are for speed alone: a compiler that cannot have them, such as gcc without C++, does without; and errors
 * in the user's file are told once. */
static sd_status wait_for(const shop *s, work *w, int *failed, sd_error *error) {
  *failed = w->process >= 0 && s->tools->end(w->process);
  if (!*failed || !w->wide) return SD_OK;
  w->wide = 0;
  SD_TRY(start(s, w, error));
  *failed = s->tools->end(w->process);
  return SD_OK;
}

/* What the compiler said of it is kept, for who wants to see all of it. */
static sd_status complain(const shop *s, const work *w, sd_error *error) {
  const sd_unit *u = w->unit;
  sd_error ignored = {0};
  const char *name = name_of(u->method ? u->method : u->problem);
  char *said = sd_compiler_complaint(w->log, name);
  if (!said) return out_of_memory(error);
  int kept = !sd_code_cache_keep(&s->cache, w->folder, "log", "compiler-said.txt", &ignored);
  sd_fail(error, SD_BAD_INPUT, "%s%s%s%s", said, kept ? "; all of it is in " : "",
          kept ? sd_path_shown(s->cache.path) : "", kept ? "/compiler-said.txt" : "");
  free(said);
  return error->status;
}

static sd_status finish(const shop *s, work *w, sd_error *error) {
  int failed;
  sd_status status = wait_for(s, w, &failed, error);
  if (!status && failed) status = complain(s, w, error);
  if (!status && w->process >= 0) {
    char made[16], name[KEY_ROOM + 8];
    snprintf(made, sizeof made, "unit.%s", s->tools->suffix);
    status = sd_code_cache_keep(&s->cache, w->folder, made, name_in_cache(s, w, name), error);
  }
  sd_code_cache_clear(w->folder);
  return status;
}

/* All that are not there yet, as many at a time as there are processors. */
static sd_status make_all(shop *s, work *works, size_t count, sd_error *error) {
  size_t most = (size_t)sd_processors_usable().threads, begun = 0, ended = 0;
  sd_status status = SD_OK;
  while (ended < begun || (begun < count && !status)) {
    if (begun < count && begun - ended < most && !status) {
      sd_status failed = begin(s, &works[begun++], error);
      if (failed) status = failed;
    } else {
      sd_status failed = finish(s, &works[ended++], error);
      if (failed) status = failed;
    }
  }
  return status;
}

/* ---- what it is known by ---- */

/* Who made the compiler, its file decides: the key has what either would be told. */
static sd_status make_key(const shop *s, work *w, sd_error *error) {
  const sd_unit *u = w->unit;
  const sd_source *sources[] = {u->problem, u->method};
  const char *const *flags[FLAGS];
  sd_text text = {0};
  flags_of(s, u, "GNU", flags);
  sd_text_add(&text, "spindrift %s\nkernels %s\ncompiler %s, %s %s\n%s %s %s %s\n%s", SPINDRIFT_VERSION, s->digest,
              s->compiler.path, s->compiler.identity, s->compiler.target, u->family, u->problem_id,
              u->method_id ? u->method_id : "-", u->method_id ? u->variant : "-", s->tools->exports);
  for (int i = 0; i < FLAGS; i++)
    for (const char *const *f = flags[i]; f && *f; f++) sd_text_add(&text, "%s\n", *f);
  if (u->method_id)
    sd_text_add(&text, "wide %d %d\n", sd_compiler_wide("Clang", u->variant, u->family, w->names.method),
                sd_compiler_wide("GNU", u->variant, u->family, w->names.method));
  for (int i = 0; i < 2; i++)
    if (sources[i])
      sd_text_add(&text, "%s %zu\n%s", sources[i]->id, sd_document_size(sources[i]->document),
                  sd_document_bytes(sources[i]->document));
  size_t length = text.length;
  char *whole = sd_text_take(&text);
  if (!whole) return out_of_memory(error);
  sd_digest_bytes(whole, length, w->key);
  free(whole);
  return SD_OK;
}

/* ---- loading ---- */

static sd_status no_good(const work *w, const char *why, sd_error *error) {
  const sd_unit *u = w->unit;
  return sd_fail(error, SD_FAILED, "%s: what was compiled of it cannot be loaded: %.300s",
                 sd_path_shown(name_of(u->method ? u->method : u->problem)), why);
}

static sd_status load(const shop *s, work *w, sd_unit *u, sd_error *error) {
  char path[SD_CODE_PATH + KEY_ROOM + 8], name[KEY_ROOM + 8], why[SD_LOAD_WHY];
  snprintf(path, sizeof path, "%s/%s", s->cache.path, name_in_cache(s, w, name));
  u->symbol = s->tools->load(path, u, &w->names, why);
  return u->symbol ? SD_OK : no_good(w, why, error);
}

static sd_status open_shop(shop *s, sd_error *error) {
  SD_TRY(sd_code_cache_open(&s->cache, error));
  SD_TRY(sd_kernels_folder(s->kernels, error));
  SD_TRY(sd_kernels_digest(s->kernels, s->digest, error));
  return s->tools->find(&s->compiler, error);
}

static sd_status load_units(shop *s, sd_unit *units, work *works, size_t count, sd_error *error) {
  size_t missing = 0;
  work *to_make = calloc(count, sizeof *to_make);
  sd_status status = to_make ? SD_OK : out_of_memory(error);
  for (size_t i = 0; i < count && !status; i++) {
    char name[KEY_ROOM + 8];
    int found;
    works[i] = (work){.unit = &units[i], .process = -1};
    status = take_lines(s, &works[i], error);
    if (!status) status = make_key(s, &works[i], error);
    if (!status) status = sd_code_cache_find(&s->cache, name_in_cache(s, &works[i], name), &found, error);
    if (!status && !found) to_make[missing++] = works[i], works[i].line = (sd_text){0};
  }
  if (!status) status = make_all(s, to_make, missing, error);
  for (size_t i = 0; i < missing; i++) free(to_make[i].line.bytes);
  free(to_make);
  for (size_t i = 0; i < count && !status; i++) status = load(s, &works[i], &units[i], error);
  return status;
}

sd_status sd_units_load(sd_unit *units, size_t count, sd_error *error) {
  shop s = {.tools = tools_for(units[0].variant), .cache.fd = -1, .maker = ""};
  work *works = calloc(count + 1, sizeof *works);
  sd_status status = works ? open_shop(&s, error) : out_of_memory(error);
  if (!status) status = load_units(&s, units, works, count, error);
  for (size_t i = 0; works && i < count; i++) free(works[i].line.bytes);
  sd_code_cache_close(&s.cache);
  free(works);
  return status;
}

/* ---- whose it is ---- */

static void known_name(const sd_source *source, char name[KEY_ROOM]) {
  char digest[33];
  sd_document_digest(source->document, digest);
  snprintf(name, KEY_ROOM, "known-%s.h", digest);
}

/* A copy of it is in the folder: digests could be made to agree. */
sd_status sd_source_is_known(const sd_source *source, int *known, sd_error *error) {
  sd_code_cache cache;
  char name[KEY_ROOM], path[SD_CODE_PATH + KEY_ROOM];
  sd_document *copy = NULL;
  *known = 0;
  SD_TRY(sd_code_cache_open(&cache, error));
  known_name(source, name);
  snprintf(path, sizeof path, "%s/%s", cache.path, name);
  sd_status status = sd_code_cache_find(&cache, name, known, error);
  sd_code_cache_close(&cache);
  if (status || !*known) return status;
  SD_TRY(sd_document_read(path, &copy, error));
  size_t size = sd_document_size(source->document);
  *known =
      sd_document_size(copy) == size && !memcmp(sd_document_bytes(copy), sd_document_bytes(source->document), size);
  sd_document_let_go(copy);
  return SD_OK;
}

sd_status sd_source_make_known(const sd_source *source, sd_error *error) {
  sd_code_cache cache;
  work w = {.unit = NULL};
  char name[KEY_ROOM];
  sd_text text = {0};
  int known;
  SD_TRY(sd_source_is_known(source, &known, error));
  if (known) return SD_OK;
  SD_TRY(sd_code_cache_open(&cache, error));
  known_name(source, name);
  sd_text_add(&text, "%s", sd_document_bytes(source->document));
  sd_status status = sd_code_cache_workshop(&cache, w.folder, error);
  if (!status) status = write_file(&w, name, &text, error);
  else free(text.bytes);
  if (!status) status = sd_code_cache_keep(&cache, w.folder, name, name, error);
  sd_code_cache_clear(w.folder);
  sd_code_cache_close(&cache);
  return status;
}
