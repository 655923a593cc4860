package io.onceflow.quarkus.deployment;

import java.util.Optional;
import java.util.Set;
import org.jboss.jandex.AnnotationInstance;
import org.jboss.jandex.ClassInfo;
import org.jboss.jandex.DotName;
import org.jboss.jandex.IndexView;
import org.jboss.jandex.MethodInfo;
import org.jspecify.annotations.Nullable;

/** What {@code @Transactional} says of a method. */
public final class TransactionType {

  /** They end, or do without, the transaction that is open when the method is called. */
  public static final Set<String> APART = Set.of("REQUIRES_NEW", "NOT_SUPPORTED", "NEVER");

  /** They start no transaction and need none. */
  static final Set<String> NONE = Set.of("SUPPORTS", "NOT_SUPPORTED", "NEVER");

  private static final DotName TRANSACTIONAL =
      DotName.createSimple("jakarta.transaction.Transactional");

  private TransactionType() {}

  /**
   * The method's own type, else that of its class or of one that this extends: the annotation is
   * inherited. Empty where there is none.
   */
  public static Optional<String> of(MethodInfo method, IndexView index) {
    return Optional.ofNullable(method.declaredAnnotation(TRANSACTIONAL))
        .or(() -> ofClass(method.declaringClass(), index))
        .map(TransactionType::value);
  }

  private static Optional<AnnotationInstance> ofClass(@Nullable ClassInfo type, IndexView index) {
    return type == null
        ? Optional.empty()
        : Optional.ofNullable(type.declaredAnnotation(TRANSACTIONAL))
            .or(
                () ->
                    Optional.ofNullable(type.superName())
                        .flatMap(extended -> ofClass(index.getClassByName(extended), index)));
  }

  private static String value(AnnotationInstance transactional) {
    return transactional.value() == null ? "REQUIRED" : transactional.value().asEnum();
  }
}
