/* document.h - a text that describes a system, as a plan has it: from a file, or from the plan of one.
 *
 * It belongs to the plan byte by byte: files hold it whole, digests cover it, and its own digest is XXH3-128 of it. */
#ifndef SD_DOCUMENT_H
#define SD_DOCUMENT_H

#include "status.h"
#include "text.h"

typedef struct sd_document sd_document;

/* Whether a problem's name is one of a file: it ends in .txt or .bodies, and then is one of a text, .h5 or .hdf5. */
int sd_document_is_path(const char *name);
int sd_document_is_text(const char *name);

/* It is shared: everyone who keeps it lets go of it. */
sd_status sd_document_read(const char *path, sd_document **made, sd_error *error);
sd_status sd_document_of(const char *name, const char *text, sd_document **made, sd_error *error);
sd_document *sd_document_keep(sd_document *document);
void sd_document_let_go(sd_document *document);

/* Goes on with a text in which \n, \\ and \x1b mean what they do in C; makes a document where there is none, and a copy
 * of one that others have, too. */
sd_status sd_document_add(sd_document **document, const char *escaped, sd_error *error);
/* As texts that make it again so, a line each, with a key in front of them. */
void sd_document_print(sd_text *to, const char *key, const sd_document *document);

/* Whether it was made of rows of numbers: then nobody has seen its lines, and messages do without. */
void sd_document_set_rows(sd_document *document);
int sd_document_is_of_rows(const sd_document *document);

const char *sd_document_name(const sd_document *document);  /* for messages */
const char *sd_document_bytes(const sd_document *document); /* and a zero after them */
size_t sd_document_size(const sd_document *document);
void sd_document_digest(const sd_document *document, char digest[33]);

#endif
