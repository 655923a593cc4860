package io.onceflow.participant.internal;

import static java.util.Objects.requireNonNull;

import io.onceflow.message.Undoes;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What a command's record says of its steps.
 *
 * @param type the record
 * @param undoes the record of the action, if it is a compensation
 * @param step the step's name where the command names none: its type in kebab case
 * @param undoneStep the name of the step that it undoes, if it is a compensation
 * @param id reads the id of the business row: the first component of type UUID
 */
record CommandType(
    Class<? extends Record> type,
    Optional<Class<? extends Record>> undoes,
    String step,
    Optional<String> undoneStep,
    Method id) {

  static CommandType of(Class<?> command) {
    Class<? extends Record> type = command.asSubclass(Record.class);
    Method id =
        Arrays.stream(type.getRecordComponents())
            .filter(component -> component.getType() == UUID.class)
            .findFirst()
            .map(RecordComponent::getAccessor)
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        type.getName()
                            + " has no component of type UUID, by which its business row is"
                            + " found"));
    id.setAccessible(true);
    Optional<Class<? extends Record>> undoes =
        Optional.ofNullable(type.getAnnotation(Undoes.class)).map(Undoes::value);
    return new CommandType(type, undoes, step(type), undoes.map(CommandType::step), id);
  }

  /** The AMQP type. */
  String name() {
    return type.getSimpleName();
  }

  private static String step(Class<?> type) {
    return type.getSimpleName()
        .replaceAll("([a-z0-9])([A-Z])|([A-Z])([A-Z][a-z])", "$1$3-$2$4")
        .toLowerCase(Locale.ROOT);
  }

  /** A sentence, in the words of Jakarta's {@code NotNull}, where there is no id. */
  Optional<String> withoutId(Record command) {
    return read(command) == null
        ? Optional.of(id.getName() + " must not be null")
        : Optional.empty();
  }

  UUID idOf(Record command) {
    return requireNonNull(read(command), () -> id + " returned null");
  }

  private @Nullable UUID read(Record command) {
    try {
      return (UUID) id.invoke(command);
    } catch (IllegalAccessException | InvocationTargetException e) {
      throw new IllegalStateException(id + " cannot be read", e);
    }
  }
}
