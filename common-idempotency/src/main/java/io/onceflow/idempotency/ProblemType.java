package io.onceflow.idempotency;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** The guard's problems (RFC 9457). Their paths are stable; each is a page that explains itself. */
enum ProblemType {
  IDEMPOTENCY_KEY_MISSING(
      400,
      "This operation needs an Idempotency-Key",
      "Send the header Idempotency-Key with a value of your own making, best a fresh UUID for each"
          + " operation. Repeating the request with the same value is then safe: it takes effect"
          + " once, and every repeat gets the first answer."),
  IDEMPOTENCY_KEY_MALFORMED(
      400,
      "The Idempotency-Key is malformed",
      "A key has 1 to 255 visible ASCII characters, best in double quotes (a structured-field"
          + " String, RFC 8941); the bare form is accepted too. Send the header once."),
  MALFORMED_BODY(
      400,
      "The body is not well-formed JSON",
      "The body of a guarded operation is compared with that of earlier requests under the same"
          + " key, so it must be well-formed JSON in which no property occurs twice."),
  IDEMPOTENCY_KEY_REUSED(
      422,
      "The Idempotency-Key was used for another request",
      "An earlier request under this key had another method, path, query or body. Its effect"
          + " stands; this request did nothing. Use a fresh key for a new operation."),
  REQUEST_IN_PROGRESS(
      409,
      "A request with this Idempotency-Key is still running",
      "Wait as long as Retry-After says and repeat the same request: it is answered with what the"
          + " running one comes to, or runs itself if that one fails. With Prefer: wait=10 the repeat"
          + " itself waits, up to ten seconds."),
  IDEMPOTENCY_KEY_UNKNOWN(
      404,
      "Nothing is known of this Idempotency-Key",
      "No request of yours runs or has an answer under this key: it was never sent, it failed or was"
          + " refused and may be sent again, or its answer has expired."),
  LEASE_LOST(
      503,
      "The request lost its lease",
      "The request took so long, or the process stood still so long, that another one under the same"
          + " key took its place. Nothing of this one was kept. Repeat the same request: it is"
          + " answered with what the other one came to."),
  RESPONSE_NOT_KEEPABLE(
      500,
      "The answer cannot be kept",
      "The operation made an answer that cannot be replayed: it is too long, or a stream. So nothing"
          + " of it was kept, and the key is free. This is a fault of the service."),
  TOO_BUSY(
      503,
      "Too much work goes on in the background",
      "The operation goes on in the background after its answer, and there is no room for more just"
          + " now. Nothing was done. Repeat the same request later.");

  private final int status;
  private final String title;
  private final String explanation;

  ProblemType(int status, String title, String explanation) {
    this.status = status;
    this.title = title;
    this.explanation = explanation;
  }

  int status() {
    return status;
  }

  String title() {
    return title;
  }

  String explanation() {
    return explanation;
  }

  /** The last segment of its path. */
  String slug() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  String path() {
    return "/problems/" + slug();
  }

  static Optional<ProblemType> of(String slug) {
    return Arrays.stream(values()).filter(type -> type.slug().equals(slug)).findAny();
  }
}
