package io.onceflow.saga.internal;

import io.onceflow.message.Command;
import io.onceflow.message.Undoes;
import java.util.function.Function;

/**
 * Makes a command from a record whose annotation has its routing key.
 *
 * @param type annotated with {@link Command}
 * @param payload makes the record from the subject
 */
public record RecordCommand<D, C extends Record>(
    Class<C> type, String routingKey, Function<? super D, C> payload)
    implements Function<D, OutgoingCommand> {

  /**
   * @param of the step or compensation, for a refusal
   * @throws SagaDefinitionInvalid where the record is not annotated
   */
  public static <D, C extends Record> RecordCommand<D, C> of(
      String of, Class<C> type, Function<? super D, C> payload) {
    Command command = type.getAnnotation(Command.class);
    if (command == null) {
      throw new SagaDefinitionInvalid(
          "%s sends %s, which has no @Command; annotate the record with @Command(\"routing.key\")."
              .formatted(of, type.getSimpleName()));
    }
    return new RecordCommand<>(type, command.value(), payload);
  }

  /** The same, unless the record undoes another command than this one. */
  public RecordCommand<D, C> undoing(String of, Function<D, OutgoingCommand> action) {
    Undoes undoes = type.getAnnotation(Undoes.class);
    if (undoes != null
        && action instanceof RecordCommand<?, ?> sent
        && undoes.value() != sent.type()) {
      throw new SagaDefinitionInvalid(
          "%s is undone with %s, which is annotated with @Undoes(%s.class), but sends %s."
              .formatted(
                  of,
                  type.getSimpleName(),
                  undoes.value().getSimpleName(),
                  sent.type().getSimpleName()));
    }
    return this;
  }

  @Override
  public OutgoingCommand apply(D subject) {
    return new OutgoingCommand(type.getSimpleName(), routingKey, payload.apply(subject));
  }
}
