package io.onceflow.messaging.once.internal;

import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.type.TypeFactory;
import io.onceflow.messaging.Once;
import io.onceflow.participant.internal.Invocation;
import io.quarkus.arc.Arc;
import io.quarkus.arc.ManagedContext;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import org.eclipse.microprofile.reactive.messaging.Message;
import org.jspecify.annotations.Nullable;

/**
 * A method annotated with {@link Once}.
 *
 * @param takesList whether it takes all messages of a batch together
 * @param takesMessages whether it takes messages with their metadata, not only their payloads
 * @param payload what a payload is read as
 */
record OnceMethod(
    Method method, Once annotation, boolean takesList, boolean takesMessages, JavaType payload) {

  /**
   * @param step of the one method of the class that has it
   */
  static OnceMethod of(Class<?> type, String step) {
    Method method =
        Arrays.stream(type.getDeclaredMethods())
            .filter(it -> !it.isBridge() && it.isAnnotationPresent(Once.class))
            .filter(it -> it.getAnnotation(Once.class).step().equals(step))
            .findFirst()
            .orElseThrow(
                () -> new IllegalStateException(type + " has no method for the step " + step));
    method.setAccessible(true);
    JavaType given =
        TypeFactory.defaultInstance().constructType(method.getGenericParameterTypes()[0]);
    boolean takesList = given.getRawClass() == List.class;
    JavaType one = takesList ? given.getContentType() : given;
    boolean takesMessages = one.getRawClass() == Message.class;
    JavaType payload = takesMessages ? one.containedTypeOrUnknown(0) : one;
    return new OnceMethod(
        method, method.getAnnotation(Once.class), takesList, takesMessages, payload);
  }

  String step() {
    return annotation.step();
  }

  /** As the type of messages that name none. */
  String payloadName() {
    return payload.isArrayType() ? "message" : payload.getRawClass().getSimpleName();
  }

  /** Calls the bean's method in the transaction that is open. */
  void call(Object argument) {
    Object bean = Arc.container().instance(method.getDeclaringClass()).get();
    ManagedContext request = Arc.container().requestContext();
    boolean isActive = request.isActive();
    if (!isActive) {
      request.activate();
    }
    try {
      unchecked(bean, argument);
    } finally {
      if (!isActive) {
        request.terminate();
      }
    }
  }

  private @Nullable Object unchecked(Object bean, Object argument) {
    try {
      return Invocation.reflectively(method, bean, argument);
    } catch (RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IllegalStateException(this + " threw " + e, e);
    }
  }

  /** For logs. */
  @Override
  public String toString() {
    return method.getDeclaringClass().getSimpleName() + "." + method.getName();
  }
}
