/* The manual page and the completion of shells, from the same lists as the help. */
#include "verbs.h"

#include <stdio.h>
#include <string.h>

/* ---- the manual page ---- */

/* Text in roff: hyphens that can be copied, and no line that looks like a request. */
static void roff(const char *text) {
  for (const char *c = text; *c; c++) {
    if ((*c == '.' || *c == '\'') && (c == text || c[-1] == '\n')) fputs("\\&", stdout);
    if (*c == '\\') fputs("\\e", stdout);
    else if (*c == '-') fputs("\\-", stdout);
    else putchar(*c);
  }
}

static void term(const char *name, const char *value, const char *text) {
  fputs(".TP\n\\fB", stdout);
  roff(name);
  fputs("\\fR", stdout);
  if (value) roff(" "), roff(value);
  putchar('\n');
  roff(text);
  putchar('\n');
}

static void manual_verbs(void) {
  const sd_verb *v;
  puts(".SH VERBS");
  for (size_t i = 0; (v = sd_verb_at(i)); i++) {
    term(v->name, v->file, v->summary);
    fputs(".br\nexample: ", stdout);
    for (const char *c = v->usage; *c;) { /* several, a line each */
      char line[160];
      size_t length = strcspn(c, "\n");
      snprintf(line, sizeof line, "%.*s", (int)length, c);
      roff(line);
      putchar('\n');
      c += length + (c[length] == '\n');
      if (*c) puts(".br");
    }
  }
}

/* Once each, with the verbs that take it. */
static void manual_option(const sd_option_info *o) {
  sd_option_help help;
  const sd_verb *v, *first = NULL;
  for (size_t i = 0; (v = sd_verb_at(i)); i++) {
    if (!sd_verb_takes(v, o)) continue;
    if (!first) {
      sd_verb_help(v, o, &help);
      term(help.left, NULL, help.right);
      fputs(".br\n\\fIfor\\fR", stdout);
    }
    printf("%s %s", first ? "," : "", v->name);
    first = v;
  }
  putchar('\n');
}

static void manual_lists(void) {
  sd_problem_info problem;
  sd_method_info method;
  puts(".SH PROBLEMS");
  for (size_t i = 0; problem.size = sizeof problem, sd_list_problem(i, &problem); i++)
    term(problem.id, NULL, problem.title);
  puts(".SH METHODS");
  for (size_t i = 0; method.size = sizeof method, sd_list_method(i, &method); i++)
    term(method.id, method.family, method.title);
}

int sd_command_manual(const sd_request *request) {
  (void)request;
  sd_option_info o;
  puts(".TH SPINDRIFT 1 \"\" \"spindrift " SPINDRIFT_VERSION "\" \"User Commands\"\n"
       ".SH NAME\nspindrift \\- ensembles of rigid bodies, and whether an integrator keeps their energy\n"
       ".SH SYNOPSIS\n.B spindrift\n\\fIVERB\\fR [\\fIFILE\\fR] [\\fIoptions\\fR]\n"
       ".SH DESCRIPTION\nIntegrates thousands to millions of perturbed copies of a problem, with one or several\n"
       "geometric methods, and says of each method whether the energy drifts, with an interval.\n"
       "The results are the same to the last bit for every variant of the processor, number of\n"
       "threads, and on CUDA devices.  \\fBspindrift\\fR \\fIVERB\\fR \\fB\\-\\-help\\fR shows the options of one "
       "verb.");
  manual_verbs();
  puts(".SH OPTIONS");
  for (size_t i = 0; sd_line_option_at(i, &o); i++) manual_option(&o);
  manual_lists();
  puts(".SH EXIT STATUS");
  term("0", NULL, "done");
  term("1", NULL, "failed: a file, a device, memory; or what was compared differs");
  term("2", NULL, "not understood: an option, a study, a value");
  term("3", NULL, "done, but members failed, each counted by its own word");
  term("4", NULL, "done, and with --fail-on-drift a method's energy drifts");
  term("130", NULL, "interrupted; what was saved, and how to go on, is said");
  puts(".SH ENVIRONMENT");
  term("CC", NULL, "the compiler for problems and methods of one's own");
  term("XDG_CACHE_HOME", NULL, "where these are kept compiled, in spindrift/; by default ~/.cache");
  term("NO_COLOR", NULL, "no colours");
  return 0;
}

/* ---- completion ---- */

/* What may follow an option: words of its own, the ids of a list, or, with NULL, a file. */
static void words_of(const sd_option_info *o, char *to, size_t room) {
  size_t used = 0;
  sd_problem_info problem = {.size = sizeof problem};
  sd_method_info method = {.size = sizeof method};
  *to = 0;
  if (o->words) snprintf(to, room, "%s", o->words);
  if (!strcmp(o->key, "problem"))
    for (size_t i = 0; sd_list_problem(i, &problem) && used < room; i++)
      used += (size_t)snprintf(to + used, room - used, "%s ", problem.id);
  if (!strcmp(o->key, "method"))
    for (size_t i = 0; sd_list_method(i, &method) && used < room; i++)
      used += (size_t)snprintf(to + used, room - used, "%s ", method.id);
  for (char *c = to; *c; c++)
    if (*c == '|') *c = ' ';
}

enum { WORDS_ROOM = 2048 };

static void options_of(const sd_verb *v) {
  sd_option_info o;
  for (size_t k = 0; sd_line_option_at(k, &o); k++)
    if (sd_verb_takes(v, &o)) printf("--%s ", o.key);
  fputs("--help", stdout);
}

static void bash(void) {
  const sd_verb *v;
  sd_option_info o;
  char words[WORDS_ROOM];
  puts("# spindrift's completion for bash\n_spindrift() {\n"
       "  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} options words");
  puts("  case $before in");
  for (size_t k = 0; sd_line_option_at(k, &o); k++) {
    words_of(&o, words, sizeof words);
    if (o.placeholder && *words) printf("  --%s) words='%s' ;;\n", o.key, words);
    else if (o.placeholder) printf("  --%s) COMPREPLY=(); return ;;\n", o.key); /* readline offers files */
  }
  puts("  esac\n  if [ -n \"$words\" ]; then COMPREPLY=($(compgen -W \"$words\" -- \"$word\")); return; fi");
  fputs("  if [ \"$COMP_CWORD\" = 1 ]; then COMPREPLY=($(compgen -W '", stdout);
  for (size_t i = 0; (v = sd_verb_at(i)); i++) printf("%s ", v->name);
  puts("help --version' -- \"$word\")); return; fi\n  case ${COMP_WORDS[1]} in");
  for (size_t i = 0; (v = sd_verb_at(i)); i++) {
    printf("  %s) options='", v->name);
    options_of(v);
    puts("' ;;");
  }
  puts("  esac\n  COMPREPLY=()\n"
       "  if [ \"${word#-}\" != \"$word\" ]; then COMPREPLY=($(compgen -W \"$options\" -- \"$word\")); fi\n}\n"
       "complete -o default -F _spindrift spindrift");
}

/* In single quotes, as zsh and fish have them: a quote ends them and begins them anew. */
static void quoted(const char *text, const char *also_escaped) {
  for (; *text; text++) {
    if (*text == '\'') fputs("'\\''", stdout);
    else {
      if (strchr(also_escaped, *text)) putchar('\\');
      putchar(*text);
    }
  }
}

static void zsh(void) {
  const sd_verb *v;
  sd_option_info o;
  sd_option_help help;
  char words[WORDS_ROOM];
  puts("#compdef spindrift\nlocal -a verbs\nverbs=(");
  for (size_t i = 0; (v = sd_verb_at(i)); i++) {
    printf("  '%s:", v->name);
    quoted(v->summary, "");
    puts("'");
  }
  puts(")\nif ((CURRENT == 2)); then _describe verb verbs; return; fi\nlocal verb=$words[2]\nshift words; "
       "((CURRENT--))\n"
       "case $verb in");
  for (size_t i = 0; (v = sd_verb_at(i)); i++) {
    printf("%s) _arguments '--help[show the options]'", v->name);
    for (size_t k = 0; sd_line_option_at(k, &o); k++) {
      if (!sd_verb_takes(v, &o)) continue;
      sd_verb_help(v, &o, &help);
      words_of(&o, words, sizeof words);
      printf(" \\\n  '*--%s[", o.key);
      quoted(help.right, "[]:\\");
      fputs("]", stdout);
      if (o.placeholder) printf(":%s:%s%s%s", o.key, *words ? "(" : "_files", words, *words ? ")" : "");
      fputs("'", stdout);
    }
    if (v->file) fputs(" \\\n  ':file:_files'", stdout);
    puts(" ;;");
  }
  puts("esac");
}

static void fish(void) {
  const sd_verb *v;
  sd_option_info o;
  sd_option_help help;
  char words[WORDS_ROOM];
  puts("# spindrift's completion for fish");
  for (size_t i = 0; (v = sd_verb_at(i)); i++) {
    printf("complete -c spindrift -f -n __fish_use_subcommand -a %s -d '", v->name);
    quoted(v->summary, "\\");
    puts("'");
    for (size_t k = 0; sd_line_option_at(k, &o); k++) {
      if (!sd_verb_takes(v, &o)) continue;
      sd_verb_help(v, &o, &help);
      words_of(&o, words, sizeof words);
      printf("complete -c spindrift -n '__fish_seen_subcommand_from %s' -l %s", v->name, o.key);
      if (o.placeholder && *words) printf(" -x -a '%s'", words);
      else if (o.placeholder) fputs(" -r", stdout);
      fputs(" -d '", stdout);
      quoted(help.right, "\\");
      puts("'");
    }
  }
}

int sd_command_completion(const sd_request *request) {
  static const struct {
    const char *name;
    void (*print)(void);
  } shells[] = {{"bash", bash}, {"zsh", zsh}, {"fish", fish}};
  for (size_t i = 0; request->file && i < sizeof shells / sizeof *shells; i++)
    if (!strcmp(request->file, shells[i].name)) return shells[i].print(), 0;
  sd_say("completion: of which shell: bash, zsh or fish?");
  return 2;
}
