#include "ranks.h"

#include "digest.h"
#include "plan_text.h"

#include <stdlib.h>
#include <string.h>

sd_status sd_ranks_send(sd_ranks *ranks, int to, const void *bytes, size_t size, sd_error *error) {
  ranks->sent += size;
  if (!size || !ranks->send(ranks->data, to, bytes, size)) return SD_OK;
  return sd_fail(error, SD_FAILED, "rank %d cannot be reached", to);
}

sd_status sd_ranks_receive(sd_ranks *ranks, int from, void *bytes, size_t size, sd_error *error) {
  if (!size || !ranks->receive(ranks->data, from, bytes, size)) return SD_OK;
  return sd_fail(error, SD_FAILED, "rank %d cannot be heard any more", from);
}

sd_status sd_ranks_hear(sd_ranks *ranks, int from, size_t size, sd_error *error) {
  sd_answer answer;
  sd_error failure = {0};
  SD_TRY(sd_ranks_receive(ranks, from, &answer, sizeof answer, error));
  if (!answer.status && answer.size == size) return SD_OK;
  if (!answer.status || answer.size != sizeof failure.message)
    return sd_fail(error, SD_FAILED, "rank %d gives an answer that does not fit: is it another build?", from);
  SD_TRY(sd_ranks_receive(ranks, from, failure.message, sizeof failure.message, error));
  failure.message[sizeof failure.message - 1] = 0;
  return sd_fail(error, (sd_status)answer.status, "rank %d: %.480s", from, failure.message);
}

sd_status sd_ranks_answer(sd_ranks *ranks, const void *bytes, size_t size, sd_error *error) {
  SD_TRY(sd_ranks_send(ranks, 0, &(sd_answer){SD_OK, size}, sizeof(sd_answer), error));
  return sd_ranks_send(ranks, 0, bytes, size, error);
}

sd_status sd_ranks_answer_failure(sd_ranks *ranks, const sd_error *failure, sd_error *error) {
  SD_TRY(sd_ranks_send(ranks, 0, &(sd_answer){failure->status, sizeof failure->message}, sizeof(sd_answer), error));
  return sd_ranks_send(ranks, 0, failure->message, sizeof failure->message, error);
}

sd_status sd_ranks_signature(const sd_specification *spec, char signature[33], sd_error *error) {
  const sd_starts *s = &spec->starts;
  char *text = sd_specification_text(spec, (size_t)spec->method_count), starts[33];
  if (!text) return sd_fail(error, SD_NO_MEMORY, "plan: out of memory");
  sd_digest_bytes(text, strlen(text), signature);
  free(text);
  sd_digest_bytes(s->number, s->count * s->width * sizeof *s->number, starts);
  sd_digest_join(signature, starts);
  sd_digest_bytes(s->member, s->count * sizeof *s->member, starts);
  sd_digest_join(signature, starts);
  return SD_OK;
}

static void tell_others(sd_ranks *ranks, sd_order order) {
  sd_error ignored = {0};
  for (int r = 1; sd_is_ranked(ranks) && r < ranks->count; r++) sd_ranks_send(ranks, r, &order, sizeof order, &ignored);
}

void sd_ranks_dismiss(sd_ranks *ranks, sd_status status) {
  tell_others(ranks, (sd_order){.what = SD_ORDER_RETURN, .number = {(uint64_t)status}});
}

/* Nothing is done any more: whoever asks is told why. */
static void decline(sd_ranks *ranks, const sd_error *failure) {
  sd_order order = {0};
  sd_error lost = {0};
  while (!sd_ranks_receive(ranks, 0, &order, sizeof order, &lost) && order.what != SD_ORDER_LEAVE) {
    void *bytes = malloc(order.size + 1);
    int heard = bytes && !sd_ranks_receive(ranks, 0, bytes, order.size, &lost);
    free(bytes);
    if (!heard) return;
    if (order.what != SD_ORDER_RETURN && sd_ranks_answer_failure(ranks, failure, &lost)) return;
  }
}

void sd_ranks_leave(sd_ranks *ranks, sd_status status, const char *message) {
  sd_error failure = {0};
  if (!sd_is_ranked(ranks)) return;
  sd_fail(&failure, status ? status : SD_FAILED, "%s", status ? message : "it has gone");
  if (ranks->mine && !ranks->over) decline(ranks, &failure);
  if (!ranks->mine) tell_others(ranks, (sd_order){.what = SD_ORDER_LEAVE});
}
