package io.onceflow.idempotency;

import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.Any;
import jakarta.enterprise.inject.spi.Bean;
import jakarta.enterprise.inject.spi.BeanManager;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * All guarded methods of the application, looked at when it starts: what cannot be guarded is
 * refused then, and not when its first repeat comes.
 */
@ApplicationScoped
class GuardedOperations {

  private final BeanManager beans;
  private final Policies policies;
  private volatile Map<String, Method> byName = Map.of();

  GuardedOperations(BeanManager beans, Policies policies) {
    this.beans = beans;
    this.policies = policies;
  }

  /**
   * Looks at all of them.
   *
   * @throws IllegalStateException listing every method that cannot be guarded, and why
   */
  void check(@Observes StartupEvent starting) {
    List<String> faults = new ArrayList<>();
    Map<String, Method> found = new HashMap<>();
    beans.getBeans(Object.class, Any.Literal.INSTANCE).stream()
        .map(Bean::getBeanClass)
        .distinct()
        .flatMap(GuardedOperations::guarded)
        .forEach(method -> add(method, found, faults));
    if (!faults.isEmpty()) {
      throw new IllegalStateException(String.join("\n", faults));
    }
    byName = Map.copyOf(found);
  }

  /** What they are called; nothing until the application has started. */
  Set<String> names() {
    return byName.keySet();
  }

  /** The methods of a class that the interceptor is put around. */
  static Stream<Method> guarded(Class<?> type) {
    boolean isWhole = type.isAnnotationPresent(Idempotent.class) && !isOurs(type);
    return Stream.of(type.getDeclaredMethods())
        .filter(method -> !method.isSynthetic() && !Modifier.isStatic(method.getModifiers()))
        .filter(method -> !isOurs(type))
        .filter(
            method ->
                method.isAnnotationPresent(Idempotent.class)
                    || isWhole && Modifier.isPublic(method.getModifiers()));
  }

  private static boolean isOurs(Class<?> type) {
    return type == IdempotencyFilter.class || type == IdempotentInterceptor.class;
  }

  private void add(Method method, Map<String, Method> found, List<String> faults) {
    GuardedMethodRules.faults(method).forEach(faults::add);
    try {
      String name = policies.of(method).operation();
      Method other = found.put(name, method);
      if (other != null && !other.equals(method)) {
        faults.add(
            "%s and %s are both operation \"%s\"; name one of them otherwise"
                .formatted(other, method, name));
      }
    } catch (IllegalStateException e) {
      faults.add(e.getMessage());
    }
  }
}
