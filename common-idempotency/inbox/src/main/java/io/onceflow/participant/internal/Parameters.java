package io.onceflow.participant.internal;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.onceflow.inbox.internal.StepOutcome;
import io.onceflow.inbox.internal.participant.ParticipantRepository;
import io.onceflow.message.Done;
import io.onceflow.participant.CallKey;
import io.onceflow.participant.CallsOut;
import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What a handler method is called with.
 *
 * @param rows the rows of which it takes some; {@link CompositeRepository#none} if it takes none
 */
record Parameters(List<Source> sources, ParticipantRepository<Object> rows) {

  /** Where one argument comes from. */
  @FunctionalInterface
  interface Source {
    Object of(Record command, StepView step);
  }

  static Parameters of(
      Method method, CommandType command, CompositeRepository kinds, ObjectMapper json) {
    return new Analysis(method, command, kinds, json).parameters();
  }

  Object[] of(Record command, StepView step) {
    return sources.stream().map(source -> source.of(command, step)).toArray();
  }

  /** The row that the step's action wrote, if rows tell that. */
  Optional<Object> writtenRow(StepView step) {
    return rows instanceof SharedRowRepository ? Optional.empty() : row(rows, step);
  }

  /** The row of the command's id; for a compensation the one that its action wrote. */
  private static Optional<Object> row(ParticipantRepository<Object> rows, StepView step) {
    return step.rows().stream()
        .filter(
            row ->
                rows instanceof SharedRowRepository
                    || step.undone() == null
                    || rows.wasWrittenBy(row, step.undone().scope(), step.undone().step()))
        .findFirst();
  }

  /** Rows that the method may have changed in its transaction. */
  List<Object> changed(StepView step) {
    return rows instanceof SharedRowRepository ? step.rows() : List.of();
  }

  private static final class Analysis {

    private final Method method;
    private final CommandType command;
    private final CompositeRepository kinds;
    private final ObjectMapper json;
    private ParticipantRepository<Object> rows = CompositeRepository.none();
    private int keys;

    private Analysis(
        Method method, CommandType command, CompositeRepository kinds, ObjectMapper json) {
      this.method = method;
      this.command = command;
      this.kinds = kinds;
      this.json = json;
    }

    private Parameters parameters() {
      List<Source> sources = new ArrayList<>();
      for (Type type : method.getGenericParameterTypes()) {
        sources.add(source(type));
      }
      if (rows instanceof SharedRowRepository && method.isAnnotationPresent(CallsOut.class)) {
        throw new IllegalArgumentException(
            "%s calls out and takes a JPA entity, which would be detached from its transaction; take no"
                    .formatted(method)
                + " row, or keep the rows by a bean of type ParticipantRepository");
      }
      return new Parameters(sources, rows);
    }

    private Source source(Type type) {
      if (type == command.type()) {
        return (payload, step) -> payload;
      }
      if (type == CallKey.class) {
        return key();
      }
      if (type instanceof ParameterizedType of
          && of.getActualTypeArguments()[0] instanceof Class<?> argument) {
        return source(of.getRawType(), argument);
      }
      throw cannotProvide(type);
    }

    private Source key() {
      if (keys++ == 0) {
        return (payload, step) -> step.key();
      }
      if (command.undoes().isEmpty()) {
        throw new IllegalArgumentException(
            "%s takes two keys, but %s undoes nothing: only a compensation has a second one"
                .formatted(method, command.name()));
      }
      return (payload, step) -> requireNonNull(step.undone());
    }

    private Source source(Type container, Class<?> argument) {
      if (container == Optional.class && argument.isAnnotationPresent(Done.class)) {
        requireReplyOfAction(argument);
        return (payload, step) -> result(step, argument);
      }
      if (container == Optional.class) {
        ParticipantRepository<Object> ofType = rowsOf(argument);
        rows = ofType;
        return (payload, step) -> row(ofType, step);
      }
      if (container == List.class) {
        rows = rowsOf(argument);
        return (payload, step) -> step.rows();
      }
      throw cannotProvide(container);
    }

    /** Another reply is never the action's: the argument would always be empty. */
    private void requireReplyOfAction(Class<?> reply) {
      List<Class<?>> answered = List.of(reply.getAnnotation(Done.class).value());
      if (command.undoes().filter(answered::contains).isEmpty()) {
        throw new IllegalArgumentException(
            "%s takes an Optional of %s, which is no reply to %s; it would always be empty"
                .formatted(
                    method,
                    reply.getSimpleName(),
                    command
                        .undoes()
                        .map(Class::getSimpleName)
                        .orElse("an action that %s undoes".formatted(command.name()))));
      }
    }

    private ParticipantRepository<Object> rowsOf(Class<?> type) {
      try {
        return kinds.of(type);
      } catch (IllegalArgumentException e) {
        throw new IllegalArgumentException(
            "%s takes a row of a type that is not known: %s".formatted(method, e.getMessage()), e);
      }
    }

    private Optional<Object> result(StepView step, Class<?> type) {
      StepOutcome reply = step.reply();
      if (reply == null || !reply.type().equals(type.getSimpleName())) {
        return Optional.empty();
      }
      try {
        return Optional.of(json.readValue(reply.payload(), type));
      } catch (JsonProcessingException e) {
        throw new IllegalStateException(
            "the stored reply of %s is no %s".formatted(step.undone(), type.getSimpleName()), e);
      }
    }

    private IllegalArgumentException cannotProvide(Type type) {
      return new IllegalArgumentException(
          "%s takes a %s, which a handler is not given; it may take its command, a CallKey, an"
                  .formatted(method, type.getTypeName())
              + " Optional of a row or of its action's result, or a List of rows");
    }
  }
}
