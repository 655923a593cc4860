package io.onceflow.idempotency.internal.policy;

import io.onceflow.idempotency.Idempotent;
import io.onceflow.idempotency.internal.response.StreamingBodies;
import io.smallrye.common.annotation.NonBlocking;
import jakarta.transaction.Transactional;
import jakarta.transaction.Transactional.TxType;
import jakarta.ws.rs.HttpMethod;
import jakarta.ws.rs.container.Suspended;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.sse.SseEventSink;
import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The rules that a guarded method must follow. */
final class GuardedMethodRules {

  /** Transaction types under which a method would not write in the guard's transaction. */
  private static final Set<TxType> APART =
      EnumSet.of(TxType.REQUIRES_NEW, TxType.NOT_SUPPORTED, TxType.NEVER);

  /** Transaction types under which a leased method writes in no transaction. */
  private static final Set<TxType> NONE =
      EnumSet.of(TxType.SUPPORTS, TxType.NOT_SUPPORTED, TxType.NEVER);

  private GuardedMethodRules() {}

  /** The violations; empty if the method can be guarded. */
  static List<String> faults(Method method) {
    List<String> faults = new ArrayList<>();
    if (!answersHttp(method)) {
      faults.add(
          "%s is @Idempotent but answers no HTTP request; put it on the JAX-RS method that does"
              .formatted(name(method)));
    }
    if (method.getReturnType() != Response.class) {
      faults.add(
          ("%s is @Idempotent but returns %s; let it return jakarta.ws.rs.core.Response, since"
                  + " a stored answer, a 409 or a 422 may be answered in its place")
              .formatted(name(method), method.getReturnType().getSimpleName()));
    }
    if (isStreaming(method)) {
      faults.add(
          "%s is @Idempotent but streams its answer, which cannot be replayed; let it return the whole answer"
              .formatted(name(method)));
    }
    if (find(NonBlocking.class, method).isPresent()) {
      faults.add(
          "%s is @Idempotent and @NonBlocking, but the guard asks a database; leave @NonBlocking out"
              .formatted(name(method)));
    }
    find(Transactional.class, method)
        .flatMap(transactional -> fault(method, transactional.value()))
        .ifPresent(faults::add);
    return faults;
  }

  private static Optional<String> fault(Method method, TxType type) {
    Idempotent.Mode mode =
        find(Idempotent.class, method).map(Idempotent::mode).orElse(Idempotent.Mode.TRANSACTIONAL);
    boolean isLeased = mode == Idempotent.Mode.LEASED;
    if (mode == Idempotent.Mode.SHARED) {
      return Optional.of(
          ("%s is @Idempotent(mode = SHARED) and @Transactional; what it writes would be committed"
                  + " apart from its claim and its answer. Let it hand what it writes to"
                  + " GuardedRequest.write(…)")
              .formatted(name(method)));
    }
    if (isLeased && !NONE.contains(type)) {
      return Optional.of(
          ("%s is @Idempotent(mode = LEASED) and @Transactional; its transaction would commit"
                  + " before its answer. Do the last writes in GuardedRequest.lease().complete(…)")
              .formatted(name(method)));
    }
    if (!isLeased && APART.contains(type)) {
      return Optional.of(
          ("%s is @Idempotent and @Transactional(%s); what it writes would be committed apart from"
                  + " its claim and its answer. Leave @Transactional out: the guard begins the"
                  + " transaction")
              .formatted(name(method), type));
    }
    return Optional.empty();
  }

  /** In JAX-RS a method without annotations has those of the method that it overrides. */
  private static boolean answersHttp(Method method) {
    return typesOf(method.getDeclaringClass())
        .flatMap(type -> declared(type, method).stream())
        .flatMap(declared -> Stream.of(declared.getAnnotations()))
        .anyMatch(annotation -> annotation.annotationType().isAnnotationPresent(HttpMethod.class));
  }

  private static Stream<Class<?>> typesOf(@Nullable Class<?> type) {
    return type == null
        ? Stream.empty()
        : Stream.concat(
            Stream.of(type),
            Stream.concat(Stream.of(type.getInterfaces()), Stream.ofNullable(type.getSuperclass()))
                .flatMap(GuardedMethodRules::typesOf));
  }

  private static Optional<Method> declared(Class<?> type, Method like) {
    try {
      return Optional.of(type.getDeclaredMethod(like.getName(), like.getParameterTypes()));
    } catch (NoSuchMethodException e) {
      return Optional.empty();
    }
  }

  private static boolean isStreaming(Method method) {
    return StreamingBodies.isOne(method.getReturnType())
        || Stream.of(method.getParameterTypes()).anyMatch(type -> type == SseEventSink.class)
        || Stream.of(method.getParameters())
            .anyMatch(parameter -> parameter.isAnnotationPresent(Suspended.class))
        || GuardedMethod.produced(method).filter(MediaType.SERVER_SENT_EVENTS::equals).isPresent();
  }

  /** The annotation of the method, else that of its class. */
  private static <A extends Annotation> Optional<A> find(Class<A> annotation, Method method) {
    return Stream.<AnnotatedElement>of(method, method.getDeclaringClass())
        .flatMap(annotated -> Stream.ofNullable(annotated.getAnnotation(annotation)))
        .findFirst();
  }

  private static String name(Method method) {
    return method.getDeclaringClass().getName() + "." + method.getName();
  }
}
