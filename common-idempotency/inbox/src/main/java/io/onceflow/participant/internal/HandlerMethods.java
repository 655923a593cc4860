package io.onceflow.participant.internal;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.onceflow.participant.Handles;
import io.onceflow.participant.Handles.FallbackReply;
import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** The handler methods of a participant's beans, by the types of their commands. */
public final class HandlerMethods {

  private final CompositeRepository rows;
  private final ObjectMapper json;
  private final HandlerInvoker invoker;
  private final Map<String, HandlerMethod> byType = new LinkedHashMap<>();

  /**
   * None yet.
   *
   * @param rows all kinds of rows that the methods take or save
   * @param json reads what actions have answered
   * @param invoker calls the methods
   */
  public HandlerMethods(CompositeRepository rows, ObjectMapper json, HandlerInvoker invoker) {
    this.rows = rows;
    this.json = json;
    this.invoker = invoker;
  }

  /** Those of these beans, without an application around them. */
  public static HandlerMethods of(CompositeRepository rows, ObjectMapper json, Object... beans) {
    return new HandlerMethods(rows, json, Invocation::reflectively).and(beans);
  }

  /** These, and those of these beans. */
  public HandlerMethods and(Object... beans) {
    for (Object bean : beans) {
      and(bean.getClass(), bean);
    }
    return this;
  }

  /**
   * These, and those of this bean.
   *
   * @param type its class, where the bean itself is a proxy
   */
  public HandlerMethods and(Class<?> type, Object bean) {
    List<Method> handling = annotated(type, Handles.class);
    Map<Class<?>, Method> unhandled = new HashMap<>();
    annotated(type, FallbackReply.class)
        .forEach(method -> unhandled.put(FallbackReplyMethod.command(method, handling), method));
    for (Method method : handling) {
      Class<?> command = method.getParameterTypes()[0];
      put(handler(CommandType.of(command), method, unhandled.get(command), bean));
    }
    return this;
  }

  /** The same methods, called through what is put around their invoker. */
  public HandlerMethods through(UnaryOperator<HandlerInvoker> around) {
    HandlerMethods same = new HandlerMethods(rows, json, around.apply(invoker));
    byType.values().forEach(handler -> same.put(handler.by(same.invoker)));
    return same;
  }

  private void put(HandlerMethod handler) {
    HandlerMethod other = byType.put(handler.type(), handler);
    if (other != null) {
      throw new IllegalArgumentException(
          "%s and %s both handle %s; a command has one handler"
              .formatted(other, handler, handler.type()));
    }
  }

  private HandlerMethod handler(
      CommandType command, Method method, @Nullable Method unhandled, Object bean) {
    return new HandlerMethod(
        command,
        Parameters.of(method, command, rows, json),
        method,
        new FallbackReplyMethod(unhandled, bean, invoker),
        bean,
        invoker);
  }

  private static List<Method> annotated(Class<?> type, Class<? extends Annotation> annotation) {
    List<Method> methods = new ArrayList<>();
    for (Class<?> c = type; c != null && c != Object.class; c = c.getSuperclass()) {
      Arrays.stream(c.getDeclaredMethods())
          .filter(method -> method.isAnnotationPresent(annotation) && !method.isBridge())
          .forEach(methods::add);
    }
    methods.forEach(method -> method.setAccessible(true));
    return methods;
  }

  /** That of commands of this type; null where there is none. */
  public @Nullable HandlerMethod of(@Nullable String type) {
    return byType.get(type);
  }

  /** All. */
  public Collection<HandlerMethod> all() {
    return byType.values();
  }

  /** The types of command that have one. */
  public Set<String> types() {
    return byType.keySet();
  }

  /** All kinds of rows that they take or save. */
  public CompositeRepository rows() {
    return rows;
  }
}
