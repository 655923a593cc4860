package io.onceflow.idempotency.internal.openapi;

import io.onceflow.idempotency.Idempotent;
import io.onceflow.idempotency.internal.policy.IdempotencyConfig;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jboss.jandex.AnnotationInstance;
import org.jboss.jandex.AnnotationValue;
import org.jboss.jandex.MethodInfo;

/**
 * The policy of a guarded operation in the OpenAPI document, under {@code x-idempotency}. At build
 * time only the annotation is known; the configured values are filled in when the application
 * starts.
 */
final class OpenApiPolicy {

  static final String EXTENSION = "x-idempotency";

  private static final String OPERATION = "operation";
  private static final String MODE = "mode";
  private static final String LEASE = "lease";
  private static final String RETENTION = "retention";
  private static final String IN_FLIGHT = "inFlight";
  private static final String REFUSALS = "refusals";
  private static final String CONFIGURED = word(Idempotent.InFlight.CONFIGURED);
  private static final String WAIT = word(Idempotent.InFlight.WAIT);
  private static final String KEPT = word(Idempotent.Refusals.KEPT);
  private static final String TRANSACTIONAL = word(Idempotent.Mode.TRANSACTIONAL);

  /** Callers cannot distinguish it from transactional. */
  private static final String SHARED = word(Idempotent.Mode.SHARED);

  private static final String LEASED = word(Idempotent.Mode.LEASED);

  private final Map<String, String> members;

  private OpenApiPolicy(Map<String, String> members) {
    this.members = members;
  }

  static OpenApiPolicy annotated(AnnotationInstance annotation, MethodInfo method) {
    String usualName = method.declaringClass().simpleName() + "." + method.name();
    Map<String, String> members = new LinkedHashMap<>();
    members.put(OPERATION, member(annotation, OPERATION).orElse(usualName));
    members.put(
        MODE, member(annotation, MODE).filter(mode -> !mode.equals(SHARED)).orElse(TRANSACTIONAL));
    for (String name : List.of(LEASE, RETENTION, IN_FLIGHT, REFUSALS)) {
      member(annotation, name).ifPresent(value -> members.put(name, value));
    }
    return new OpenApiPolicy(members);
  }

  /** The policy in a document; empty if {@code extension} is none. */
  static Optional<OpenApiPolicy> stated(Object extension) {
    if (!(extension instanceof Map<?, ?> stated) || !stated.containsKey(OPERATION)) {
      return Optional.empty();
    }
    Map<String, String> members = new LinkedHashMap<>();
    stated.forEach((name, value) -> members.put(String.valueOf(name), String.valueOf(value)));
    return Optional.of(new OpenApiPolicy(members));
  }

  /** This policy, completed by the configuration. */
  OpenApiPolicy configured(IdempotencyConfig config) {
    Map<String, String> complete = new LinkedHashMap<>();
    complete.put(OPERATION, members.getOrDefault(OPERATION, ""));
    complete.put(MODE, members.getOrDefault(MODE, ""));
    if (isLeased()) {
      complete.put(LEASE, members.getOrDefault(LEASE, config.lease().toString()));
    }
    complete.put(RETENTION, members.getOrDefault(RETENTION, config.retention().toString()));
    complete.put(IN_FLIGHT, members.getOrDefault(IN_FLIGHT, word(config.inFlight())));
    complete.put(REFUSALS, members.getOrDefault(REFUSALS, word(config.refusals())));
    return new OpenApiPolicy(complete);
  }

  boolean isLeased() {
    return LEASED.equals(members.get(MODE));
  }

  /** Its form in the document. */
  Map<String, String> members() {
    return members;
  }

  /**
   * In words, for the operation's description. Only of a {@link #configured} policy.
   *
   * @param longestWait of a repeat for the running request
   */
  String inWords(Duration longestWait) {
    return String.join(
        " ",
        "**Idempotent.** Send an `Idempotency-Key` that you choose.",
        "The first request under it takes effect; for %s a repeat of the same request gets its answer,"
            .formatted(inWords(members.getOrDefault(RETENTION, ""))),
        "marked `Idempotent-Replayed: true`, and another request is refused with 422.",
        inFlightInWords(inWords(longestWait.toString())),
        refusalsInWords(),
        crashInWords(),
        "A request that fails leaves nothing behind.");
  }

  private String inFlightInWords(String wait) {
    return WAIT.equals(members.get(IN_FLIGHT))
        ? "While the first one runs, a repeat waits up to %s for its answer, and is then answered 409."
            .formatted(wait)
        : "While the first one runs, a repeat is answered 409, or waits up to %s with `Prefer: wait`."
            .formatted(wait);
  }

  private String refusalsInWords() {
    return KEPT.equals(members.get(REFUSALS))
        ? "A refusal (4xx) is kept and repeated like any other answer."
        : "A refusal (4xx) is not kept, and the key may be used again.";
  }

  private String crashInWords() {
    return isLeased()
        ? "If the server dies, a repeat takes over %s after its last renewal."
            .formatted(inWords(members.getOrDefault(LEASE, "")))
        : "Effect and answer are committed together.";
  }

  private static Optional<String> member(AnnotationInstance annotation, String name) {
    return Optional.ofNullable(annotation.value(name))
        .map(OpenApiPolicy::text)
        .filter(text -> !text.isEmpty() && !text.equals(CONFIGURED));
  }

  private static String text(AnnotationValue value) {
    return value.kind() == AnnotationValue.Kind.ENUM ? word(value.asEnum()) : value.asString();
  }

  private static String word(Enum<?> constant) {
    return word(constant.name());
  }

  private static String word(String constant) {
    return constant.toLowerCase(Locale.ROOT);
  }

  /** {@code PT24H} as {@code 24 hours}; unchanged if it is not a whole number of a unit. */
  private static String inWords(String duration) {
    Duration parsed = Duration.parse(duration);
    if (parsed.toDays() > 1 && parsed.equals(Duration.ofDays(parsed.toDays()))) {
      return count(parsed.toDays(), "day");
    }
    if (parsed.toHours() > 0 && parsed.equals(Duration.ofHours(parsed.toHours()))) {
      return count(parsed.toHours(), "hour");
    }
    if (parsed.toMinutes() > 0 && parsed.equals(Duration.ofMinutes(parsed.toMinutes()))) {
      return count(parsed.toMinutes(), "minute");
    }
    return parsed.equals(Duration.ofSeconds(parsed.toSeconds()))
        ? count(parsed.toSeconds(), "second")
        : duration;
  }

  private static String count(long number, String unit) {
    return number + " " + unit + (number == 1 ? "" : "s");
  }
}
