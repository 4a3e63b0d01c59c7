/* study_text.cpp - letters, and what the TOML parser must not see: some files end it, or leave what it does undefined.
 */
#include "study_text.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdio>

namespace {

constexpr size_t max_dots = 16, max_word = 60;

/* ---- letters ---- */

struct letter {
  char32_t code;
  size_t length; /* in bytes; 0: these bytes are no letter of UTF-8 */
};

/* The letter at `at`, in its only spelling: none that is longer than need be, no half of a pair, none beyond the last.
 */
letter letter_at(std::string_view text, size_t at) {
  constexpr char32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
  auto byte = static_cast<unsigned char>(text[at]);
  size_t length = byte < 0x80 ? 1 : byte >> 5 == 6 ? 2 : byte >> 4 == 14 ? 3 : byte >> 3 == 30 ? 4 : 0;
  if (!length || length > text.size() - at) return {0, 0};
  char32_t code = length == 1 ? byte : byte & (0x7Fu >> length);
  for (size_t i = 1; i < length; i++) {
    if (begins_letter(text[at + i])) return {0, 0};
    code = code << 6 | (static_cast<unsigned char>(text[at + i]) & 0x3Fu);
  }
  bool half = code >= 0xD800 && code <= 0xDFFF;
  return code < least[length] || code > 0x10FFFF || half ? letter{0, 0} : letter{code, length};
}

void check_letters(std::string_view text) {
  for (size_t i = 0, length; i < text.size(); i += length) {
    length = letter_at(text, i).length;
    if (length) continue;
    char byte[8];
    std::snprintf(byte, sizeof byte, "0x%02X", static_cast<unsigned>(static_cast<unsigned char>(text[i])));
    throw failure{line_at(text, i), std::string("the byte ") + byte + " is not UTF-8, which a study is written in"};
  }
}

bool is_ascii(char c) {
  return static_cast<unsigned char>(c) < 128;
}

/* ---- strings and comments ---- */

bool is_triple(std::string_view text, size_t at) {
  return at + 2 < text.size() && text[at] == text[at + 1] && text[at] == text[at + 2];
}

/* A string as it stands in the file. */
struct string_span {
  size_t last;   /* its last character, or that of what there is of it */
  size_t quotes; /* on either side: 1 or 3 */
  bool closed;
};

string_span string_at(std::string_view text, size_t at) {
  char quote = text[at];
  bool lines = is_triple(text, at);
  size_t quotes = lines ? 3 : 1, i = at + quotes;
  for (; i < text.size(); i++) {
    if (text[i] == '\\' && quote == '"') i++;
    else if (lines && text[i] == quote && is_triple(text, i)) break;
    else if (!lines && text[i] == quote) return {i, quotes, true};
    else if (!lines && text[i] == '\n') return {i - 1, quotes, false};
  }
  if (i >= text.size()) return {text.size() - 1, quotes, false};
  i += 2;
  for (int spare = 0; spare < 2 && i + 1 < text.size() && text[i + 1] == quote; spare++) i++; /* """say "so"""" */
  return {i, quotes, true};
}

bool is_one_of(std::string_view set, char c) {
  return set.find(c) != set.npos;
}

bool has_foreign_letters(std::string_view text) {
  return !std::all_of(text.begin(), text.end(), is_ascii);
}

/* Question marks where nothing depends on the letters. */
std::string masked(std::string_view text) {
  std::string plain(text);
  std::replace_if(
      plain.begin(), plain.end(), [](char c) { return !is_ascii(c); }, '?');
  return plain;
}

std::string escaped(char32_t code) {
  char text[16];
  std::snprintf(text, sizeof text, code < 0x10000 ? "\\u%04lX" : "\\U%08lX", static_cast<unsigned long>(code));
  return text;
}

/* A string with letters beyond ASCII, as a basic string that says the same in ASCII. */
std::string in_escapes(std::string_view text, size_t at, const string_span &span) {
  bool literal = text[at] == '\'';
  std::string quotes(span.quotes, '"'), plain = quotes;
  size_t end = span.last + 1 - span.quotes;
  for (size_t i = at + span.quotes; i < end; i++) {
    char c = text[i];
    if (!is_ascii(c)) {
      letter l = letter_at(text, i);
      plain += escaped(l.code);
      i += l.length - 1;
    } else if (literal) {
      plain += is_one_of("\"\\", c) ? std::string("\\") + c : std::string(1, c);
    } else {
      plain += c;
      if (c != '\\' || i + 1 >= end) continue;
      if (!is_ascii(text[++i])) throw failure{line_at(text, i), "a backslash before a letter that is not ASCII"};
      plain += text[i];
    }
  }
  return plain + quotes;
}

/* Adds the string or the comment that begins at `at`; returns its last character. */
size_t pass_over(std::string &plain, std::string_view text, size_t at) {
  string_span span =
      text[at] == '#' ? string_span{std::min(text.find('\n', at), text.size()) - 1, 0, false} : string_at(text, at);
  std::string_view piece = text.substr(at, span.last + 1 - at);
  if (!has_foreign_letters(piece)) plain += piece;
  else plain += span.closed ? in_escapes(text, at, span) : masked(piece);
  return span.last;
}

} // namespace

int line_at(std::string_view text, size_t at) {
  return 1 + static_cast<int>(std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
}

/* Refuses what is no study anyway:
 * - keys of many parts, a.a.a.a...: the parser and its tables recurse once for each, and would use up the stack;
 * - long words: the parser looks ahead in numbers and dates, and beyond 127 characters loses its place;
 * - letters beyond ASCII where there is no string, or where a word runs into one: its test for spaces is undefined.  It
 *   applies that test within strings too, so letters are escaped there. */
std::string text_for_parser(std::string_view text) {
  if (text.substr(0, 3) == "\xEF\xBB\xBF") text.remove_prefix(3); /* a byte order mark */
  check_letters(text);
  std::string plain;
  size_t dots = 0, word = 0, i = 0;
  auto wrong = [&](const std::string &what) { return failure{line_at(text, i), what}; };
  for (; i < text.size(); i++) {
    char c = text[i];
    bool quote = is_one_of("\"'", c);
    if (quote && word && text[i - 1] != '.') throw wrong("a quote in the middle of a word");
    if (quote || c == '#') {
      i = pass_over(plain, text, i);
      continue;
    }
    if (is_one_of("\n=,[{", c)) dots = 0;
    dots += c == '.';
    word = is_one_of(" \t\r\n=,[]{}", c) ? 0 : word + 1;
    if (!is_ascii(c)) throw wrong("a letter that is not ASCII, outside quotes and comments");
    if (dots > max_dots) throw wrong("a key of more than " + std::to_string(max_dots) + " parts");
    if (word > max_word) throw wrong("a word of more than " + std::to_string(max_word) + " characters");
    plain += c;
  }
  return plain;
}
