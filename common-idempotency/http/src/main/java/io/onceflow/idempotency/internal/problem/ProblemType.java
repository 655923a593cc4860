package io.onceflow.idempotency.internal.problem;

import io.onceflow.core.IdempotencyKey;
import io.onceflow.core.internal.CanonicalJson;
import io.onceflow.core.internal.CanonicalNumber;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** The guard's problem types (RFC 9457). Their paths are stable; each is a page about the type. */
public enum ProblemType {
  IDEMPOTENCY_KEY_MISSING(
      400,
      "This operation needs an Idempotency-Key",
      "The request came without the header Idempotency-Key.",
      "Nothing was done.",
      "Send the header with a value that you choose, best a fresh UUID in double quotes for each"
          + " operation. Repeating the request with the same value is then safe: it takes effect"
          + " once, and every repeat gets the first answer."),
  IDEMPOTENCY_KEY_MALFORMED(
      400,
      "The Idempotency-Key is malformed",
      ("A key has 1 to %s printable ASCII characters (from the space to ~). In double quotes it is a"
              + " structured-field String (RFC 8941), in which a backslash may escape only a quote or"
              + " a backslash; parameters after it are ignored. The bare form is accepted too. Lists"
              + " and a second header line are refused.")
          .formatted(IdempotencyKey.MAX_LENGTH),
      "Nothing was looked up, and nothing was done.",
      "Send one well-formed key, and the same one with every repeat."),
  MALFORMED_BODY(
      400,
      "The body is not well-formed JSON",
      ("The body calls itself JSON and is compared with that of earlier requests under the same key."
              + " So it must be well-formed JSON (RFC 8259) in UTF-8 without a byte order mark, in"
              + " which no property occurs twice and no string holds half a surrogate pair. It may"
              + " be nested %s deep and hold %s names and values, and its numbers lie between"
              + " 1e-%3$s and 1e%3$s.")
          .formatted(
              CanonicalJson.DEEPEST, CanonicalJson.MOST_TOKENS, CanonicalNumber.LARGEST_EXPONENT),
      "Nothing was done, and the key is free.",
      "Correct the body and send it again, under the same key if you like."),
  IDEMPOTENCY_KEY_REUSED(
      422,
      "The Idempotency-Key was used for another request",
      "An earlier request under this key had another method, path, query or body. The order of JSON"
          + " properties, white space and the spelling of numbers do not count as another.",
      "The effect of the earlier request remains; this one had none.",
      "Use a fresh key for a new operation. To repeat the earlier one, send exactly what you sent"
          + " then."),
  REQUEST_IN_PROGRESS(
      409,
      "A request with this Idempotency-Key is still running",
      "The same request was sent before, and has not ended.",
      "This repeat did nothing; the first request continues.",
      "Wait as long as Retry-After says and repeat the same request: it gets the answer"
          + " of the running one, or runs itself if that one fails. With Prefer: wait=10 the repeat"
          + " itself waits, up to ten seconds."),
  IDEMPOTENCY_KEY_UNKNOWN(
      404,
      "Nothing is known of this Idempotency-Key",
      "No request of yours runs or has an answer under this key: it was never sent, it failed or was"
          + " refused, or its answer has expired. Keys of others are answered in the same way.",
      "Nothing is kept under the key.",
      "Send the request, under this key if you like."),
  LEASE_LOST(
      503,
      "The request lost its lease",
      "The request took so long, or the process paused so long, that another one under the same"
          + " key took over.",
      "Nothing of this run was kept.",
      "Repeat the same request: it gets the answer of the other one."),
  RESPONSE_NOT_KEEPABLE(
      500,
      "The answer cannot be kept",
      "The operation returned an answer that cannot be replayed: it is too long, or a stream. This"
          + " is a failure of the service.",
      "Nothing was kept, and the key is free.",
      "Report it to the operators of the service; a repeat ends the same way."),
  TOO_BUSY(
      503,
      "Too much work goes on in the background",
      "The operation continues in the background after its answer, and the process runs as many of"
          + " them as it may.",
      "Nothing was done, and the key is free.",
      "Wait as long as Retry-After says and repeat the same request."),
  QUOTA_EXCEEDED(
      429,
      "You have used up your quota",
      "One caller may have only a part of what the service can do: so many requests in a second and"
          + " at a time, so many bytes, and so many operations in progress. RateLimit-Policy names the"
          + " quota.",
      "Nothing was done, and nothing is kept under the key.",
      "Wait as long as Retry-After says, then repeat the same request under the same key. Send less"
          + " at a time."),
  OVERLOADED(
      503,
      "Service overloaded",
      "More requests arrive than can be processed, or accepted ones are not completed yet. This one"
          + " was rejected before processing.",
      "Nothing was done, and nothing was looked up under the key.",
      "Wait as long as Retry-After says, and a little longer after each rejection; then repeat"
          + " the same request under the same key."),
  STORE_UNAVAILABLE(
      503,
      "The records of keys cannot be read",
      "Before a request is processed, the record of its key is read; at the moment that is not"
          + " possible.",
      "This request did nothing. The effect of an earlier one under the key remains.",
      "Wait as long as Retry-After says and repeat the same request under the same key."),

  /** 503: the commit was not confirmed in time. */
  OUTCOME_UNKNOWN(
      503,
      "The outcome of the request is not known yet",
      "The database did not answer in time when the request was committed, so it may be done or"
          + " not.",
      "It is done once or not at all. A repeat under the same key returns the outcome.",
      "Wait as long as Retry-After says and repeat the same request under the same key, never under"
          + " another.");

  private final int status;
  private final String title;
  private final String meaning;
  private final String effect;
  private final String remedy;

  ProblemType(int status, String title, String meaning, String effect, String remedy) {
    this.status = status;
    this.title = title;
    this.meaning = meaning;
    this.effect = effect;
    this.remedy = remedy;
  }

  public int status() {
    return status;
  }

  public String title() {
    return title;
  }

  /** What happened. */
  public String meaning() {
    return meaning;
  }

  /** The effect of the request, and of earlier ones under its key. */
  public String effect() {
    return effect;
  }

  /** What the client should do. */
  public String remedy() {
    return remedy;
  }

  /** Whether its answers have a {@code Retry-After}. */
  public boolean saysWhenToRetry() {
    return status == 409 || status == 429 || status == 503;
  }

  /** The last segment of its path. */
  public String slug() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** Of its page, from the server's root. */
  public String path() {
    return ProblemAddress.of(slug()).toString();
  }

  static Optional<ProblemType> of(String slug) {
    return Arrays.stream(values()).filter(type -> type.slug().equals(slug)).findAny();
  }
}
