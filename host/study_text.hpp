/* study_text.hpp - the text of a study, made safe for the TOML parser. */
#ifndef SD_STUDY_TEXT_HPP
#define SD_STUDY_TEXT_HPP

#include <string>
#include <string_view>

/* What is wrong with the file; line 0 is the file as a whole. */
struct failure {
  int line;
  std::string text;
};

/* The same in ASCII: letters beyond it as escapes, in comments as question marks, and all lines where they were. Throws
 * a failure where the bytes are not UTF-8, or what they say is not for the parser. */
std::string text_for_parser(std::string_view text);

int line_at(std::string_view text, size_t at);

/* Whether a letter of UTF-8 begins here, and is not in its middle. */
inline bool begins_letter(char c) {
  return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
}

#endif
