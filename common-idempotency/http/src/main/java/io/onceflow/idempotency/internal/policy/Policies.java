package io.onceflow.idempotency.internal.policy;

import io.onceflow.idempotency.Idempotent;
import jakarta.enterprise.context.ApplicationScoped;
import java.lang.reflect.Method;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** The policies of all guarded methods. */
@ApplicationScoped
public class Policies {

  private final IdempotencyConfig config;
  private final Map<Method, Policy> byMethod = new ConcurrentHashMap<>();

  Policies(IdempotencyConfig config) {
    this.config = config;
  }

  /** From the annotation of the method, else from that of its class. */
  Policy of(Method method) {
    return byMethod.computeIfAbsent(method, this::read);
  }

  private Policy read(Method method) {
    Class<?> resource = method.getDeclaringClass();
    Idempotent annotation =
        Optional.ofNullable(method.getAnnotation(Idempotent.class))
            .or(() -> Optional.ofNullable(resource.getAnnotation(Idempotent.class)))
            .orElseThrow(
                () ->
                    new IllegalStateException(
                        "%s.%s is not @Idempotent, nor is its class; a subclass that is cannot say so for it"
                            .formatted(resource.getName(), method.getName())));
    return Policy.of(annotation, resource.getSimpleName() + "." + method.getName(), config);
  }
}
