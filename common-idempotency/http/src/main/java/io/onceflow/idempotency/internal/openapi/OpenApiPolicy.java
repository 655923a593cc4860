package io.onceflow.idempotency.internal.openapi;

import io.onceflow.idempotency.Idempotent;
import io.onceflow.idempotency.internal.policy.IdempotencyConfig;
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
  private static final String TRANSACTIONAL = word(Idempotent.Mode.TRANSACTIONAL);

  /** Callers cannot distinguish it from transactional. */
  private static final String SHARED = word(Idempotent.Mode.SHARED);

  private static final String LEASED = word(Idempotent.Mode.LEASED);

  private OpenApiPolicy() {}

  /** What the annotation says. */
  static Map<String, String> annotated(AnnotationInstance annotation, MethodInfo method) {
    String usualName = method.declaringClass().simpleName() + "." + method.name();
    Map<String, String> members = new LinkedHashMap<>();
    members.put(OPERATION, member(annotation, OPERATION).orElse(usualName));
    members.put(
        MODE, member(annotation, MODE).filter(mode -> !mode.equals(SHARED)).orElse(TRANSACTIONAL));
    for (String name : List.of(LEASE, RETENTION, IN_FLIGHT, REFUSALS)) {
      member(annotation, name).ifPresent(value -> members.put(name, value));
    }
    return members;
  }

  /** What the annotation says, completed by the configuration. */
  static Map<String, Object> configured(Map<?, ?> annotated, IdempotencyConfig config) {
    Map<String, Object> usual = new LinkedHashMap<>();
    usual.put(OPERATION, "");
    usual.put(MODE, TRANSACTIONAL);
    if (isLeased(annotated)) {
      usual.put(LEASE, config.lease().toString());
    }
    usual.put(RETENTION, config.retention().toString());
    usual.put(IN_FLIGHT, word(config.inFlight()));
    usual.put(REFUSALS, word(config.refusals()));
    annotated.forEach((name, value) -> usual.replace(String.valueOf(name), value));
    return usual;
  }

  static boolean isLeased(Map<?, ?> policy) {
    return LEASED.equals(policy.get(MODE));
  }

  private static Optional<String> member(AnnotationInstance annotation, String name) {
    return Optional.ofNullable(annotation.value(name))
        .map(OpenApiPolicy::text)
        .filter(text -> !text.isEmpty() && !text.equals(CONFIGURED));
  }

  private static String text(AnnotationValue value) {
    return value.kind() == AnnotationValue.Kind.ENUM
        ? value.asEnum().toLowerCase(Locale.ROOT)
        : value.asString();
  }

  private static String word(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }
}
