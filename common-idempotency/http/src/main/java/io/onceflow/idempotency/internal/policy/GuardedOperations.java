package io.onceflow.idempotency.internal.policy;

import io.onceflow.idempotency.Idempotent;
import io.onceflow.idempotency.internal.execution.IdempotentInterceptor;
import io.onceflow.idempotency.internal.recovery.AbandonedClaimResolvers;
import io.onceflow.idempotency.internal.request.IdempotencyFilter;
import io.onceflow.idempotency.internal.response.ReplayingExceptionMapper;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.Any;
import jakarta.enterprise.inject.spi.Bean;
import jakarta.enterprise.inject.spi.BeanManager;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * All guarded methods of the application. They are checked at start, so that a method that cannot
 * be guarded prevents the start.
 */
@ApplicationScoped
public class GuardedOperations {

  private static final Logger LOG = Logger.getLogger(GuardedOperations.class);

  private final BeanManager beans;
  private final Policies policies;
  private final AbandonedClaimResolvers resolvers;
  private volatile Map<String, Method> byName = Map.of();
  private volatile Duration longestLease = Duration.ZERO;

  GuardedOperations(BeanManager beans, Policies policies, AbandonedClaimResolvers resolvers) {
    this.beans = beans;
    this.policies = policies;
    this.resolvers = resolvers;
  }

  void check(@Observes StartupEvent starting) {
    check(beans.getBeans(Object.class, Any.Literal.INSTANCE).stream().map(Bean::getBeanClass));
  }

  /**
   * Checks all guarded methods.
   *
   * @throws IllegalStateException listing all violations
   */
  void check(Stream<Class<?>> types) {
    List<String> faults = new ArrayList<>();
    Map<String, Method> found = new HashMap<>();
    types.flatMap(GuardedOperations::guarded).distinct().forEach(m -> add(m, found, faults));
    if (faults.isEmpty()) {
      faults.addAll(resolvers.faults(policiesOf(found)));
    }
    if (!faults.isEmpty()) {
      throw new IllegalStateException(
          "these @Idempotent methods cannot be guarded:\n" + String.join("\n", faults));
    }
    longestLease =
        policiesOf(found).values().stream()
            .map(Policy::lease)
            .max(Comparator.naturalOrder())
            .orElse(Duration.ZERO);
    byName = Map.copyOf(found);
  }

  /** The names of the operations; empty until the application has started. */
  public Set<String> names() {
    return byName.keySet();
  }

  /** Of their claims. */
  public Duration longestLease() {
    return longestLease;
  }

  /** The media type in the {@code @Produces} of an operation's method. */
  public Optional<String> produces(String operation) {
    return Optional.ofNullable(byName.get(operation)).flatMap(GuardedMethod::produced);
  }

  /** The methods of a class that the interceptor wraps, including inherited ones. */
  static Stream<Method> guarded(Class<?> type) {
    boolean isWhole = type.isAnnotationPresent(Idempotent.class);
    return methods(type)
        .filter(method -> !Modifier.isStatic(method.getModifiers()))
        .filter(
            method ->
                method.isAnnotationPresent(Idempotent.class)
                    || isWhole && Modifier.isPublic(method.getModifiers()));
  }

  private static Stream<Method> methods(@Nullable Class<?> type) {
    if (type == null || type == Object.class || isOurs(type)) {
      return Stream.empty();
    }
    Stream<Method> inherited =
        methods(type.getSuperclass()).filter(method -> !isOverridden(method, type));
    return Stream.concat(declared(type), inherited);
  }

  /** Without the bridges that a public class has to the methods of a package-private base. */
  private static Stream<Method> declared(Class<?> type) {
    try {
      return Stream.of(type.getDeclaredMethods()).filter(method -> !method.isSynthetic());
    } catch (LinkageError e) {
      LOG.debugf(e, "%s refers to a missing class, so it is no resource", type.getName());
      return Stream.empty();
    }
  }

  private static boolean isOverridden(Method method, Class<?> type) {
    return declared(type)
        .anyMatch(
            own ->
                own.getName().equals(method.getName())
                    && Arrays.equals(own.getParameterTypes(), method.getParameterTypes()));
  }

  private static boolean isOurs(Class<?> type) {
    return type == IdempotencyFilter.class
        || type == ReplayingExceptionMapper.class
        || type == IdempotentInterceptor.class;
  }

  private Map<String, Policy> policiesOf(Map<String, Method> methods) {
    return methods.entrySet().stream()
        .collect(Collectors.toMap(Map.Entry::getKey, e -> policies.of(e.getValue())));
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
