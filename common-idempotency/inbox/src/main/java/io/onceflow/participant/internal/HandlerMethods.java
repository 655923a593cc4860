package io.onceflow.participant.internal;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.onceflow.inbox.internal.participant.CommandHandler;
import io.onceflow.participant.Handles;
import io.onceflow.participant.Handles.FallbackReply;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Finds the handler methods of beans. */
public final class HandlerMethods {

  private final CompositeRepository rows;
  private final ObjectMapper json;
  private final Validation validation;
  private final Invoker invoker;

  /** The constraints that commands declare. */
  @FunctionalInterface
  public interface Validation {

    /** What the command violates, in sentences; empty if nothing. */
    List<String> violations(Record command);
  }

  /** How methods are called. */
  @FunctionalInterface
  public interface Invoker {

    /** Calls the method of the bean and passes on what it throws. */
    @Nullable Object call(Method method, Object bean, @Nullable Object... arguments)
        throws Exception;
  }

  /**
   * @param rows all kinds of rows that the methods take or save
   * @param json reads what actions have answered
   * @param validation refuses commands
   * @param invoker calls the methods
   */
  public HandlerMethods(
      CompositeRepository rows, ObjectMapper json, Validation validation, Invoker invoker) {
    this.rows = rows;
    this.json = json;
    this.validation = validation;
    this.invoker = invoker;
  }

  /** The handlers of these beans, without an application around them. */
  public static List<CommandHandler<?, Object>> of(
      CompositeRepository rows, ObjectMapper json, Object... beans) {
    HandlerMethods methods =
        new HandlerMethods(rows, json, command -> List.of(), Invocation::reflectively);
    List<CommandHandler<?, Object>> handlers = new ArrayList<>();
    for (Object bean : beans) {
      handlers.addAll(methods.of(bean.getClass(), bean));
    }
    return handlers;
  }

  /**
   * The handlers of one bean.
   *
   * @param type its class, where the bean itself is a proxy
   */
  public List<CommandHandler<?, Object>> of(Class<?> type, Object bean) {
    List<Method> handling = annotated(type, Handles.class);
    Map<Class<?>, Method> unhandled = new HashMap<>();
    annotated(type, FallbackReply.class)
        .forEach(method -> unhandled.put(FallbackReplyMethod.command(method, handling), method));
    List<CommandHandler<?, Object>> handlers = new ArrayList<>();
    for (Method method : handling) {
      CommandType<?> command =
          CommandType.of(method.getParameterTypes()[0].asSubclass(Record.class));
      handlers.add(handler(command, method, unhandled.get(command.type()), bean));
    }
    return handlers;
  }

  private <C extends Record> HandlerMethod<C> handler(
      CommandType<C> command, Method method, @Nullable Method unhandled, Object bean) {
    return new HandlerMethod<>(
        command,
        Parameters.of(method, command, rows, json),
        validation,
        method,
        new FallbackReplyMethod(unhandled, bean, invoker),
        bean,
        invoker);
  }

  private static List<Method> annotated(
      Class<?> type, Class<? extends java.lang.annotation.Annotation> annotation) {
    List<Method> methods = new ArrayList<>();
    for (Class<?> c = type; c != null && c != Object.class; c = c.getSuperclass()) {
      Arrays.stream(c.getDeclaredMethods())
          .filter(method -> method.isAnnotationPresent(annotation) && !method.isBridge())
          .forEach(methods::add);
    }
    methods.forEach(method -> method.setAccessible(true));
    return methods;
  }
}
