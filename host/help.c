#include "terminal.h"
#include "verbs.h"

#include <stdio.h>

void sd_help(void) {
  const sd_verb *v;
  printf("spindrift %s - does this integrator keep the energy, or does it only seem to?\n\n"
         "usage: spindrift VERB [options]      spindrift VERB --help shows the options of one\n\n",
         SPINDRIFT_VERSION);
  for (size_t i = 0; (v = sd_verb_at(i)); i++) printf("  %-10s %s\n", v->name, v->summary);
  printf("\nexample: spindrift run --method eln,vlv --members 1024\n");
}

static void help_line(const char *left, const char *right) {
  char text[640];
  snprintf(text, sizeof text, "  %-26s %s", left, right);
  sd_print_wrapped(stdout, sd_terminal_of(stdout).width, 29, text);
}

void sd_help_verb(const sd_verb *v) {
  sd_option_info o;
  sd_option_help help;
  char head[256];
  snprintf(head, sizeof head, "spindrift %s%s%s%s - %s", v->name, v->file ? " " : "", v->file ? v->file : "",
           v->takes ? " [options]" : "", v->summary);
  sd_print_wrapped(stdout, sd_terminal_of(stdout).width, 2, head);
  putchar('\n');
  if (sd_verb_file(v)) help_line(v->file, sd_verb_file(v));
  for (size_t i = 0; sd_line_option_at(i, &o); i++) {
    if (!sd_verb_takes(v, &o)) continue;
    sd_verb_help(v, &o, &help);
    help_line(help.left, help.right);
  }
  if (v->takes & SD_ABOUT_STATES) puts("\nMemory: at most 296 bytes per body, whatever the length of the run.");
  printf("\nexample: %s\n", v->usage);
}
