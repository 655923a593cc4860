package io.onceflow.saga.internal;

import io.onceflow.message.Command;
import io.onceflow.message.Undoes;
import io.onceflow.saga.Step.OutgoingCommand;
import java.util.Locale;
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

  /** What a compensation is called by default: {@code cancel-flight} for {@code CancelFlight}. */
  public static String nameOf(Class<?> type) {
    return type.getSimpleName().replaceAll("(?<=[a-z0-9])(?=[A-Z])", "-").toLowerCase(Locale.ROOT);
  }

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

  /**
   * The same, unless the record undoes something: its participant would look for an action of this
   * saga, find none, and answer as done without asking its handler.
   *
   * @param of the step, for a refusal
   */
  public RecordCommand<D, C> acting(String of) {
    if (type.isAnnotationPresent(Undoes.class)) {
      throw new SagaDefinitionInvalid(
          ("%s sends %s, which is annotated with @Undoes: its participant only undoes what this saga"
                  + " has done, and would answer as done without doing anything; compensate another"
                  + " step with it, or send another command.")
              .formatted(of, type.getSimpleName()));
    }
    return this;
  }

  /**
   * The same, unless the record does not say that it undoes this command: without that its
   * participant would not wait for the action, and would let one that comes later take effect.
   *
   * @param of the step, for a refusal
   */
  public RecordCommand<D, C> undoing(String of, Function<D, OutgoingCommand> action) {
    Undoes undoes = type.getAnnotation(Undoes.class);
    if (undoes == null) {
      throw new SagaDefinitionInvalid(
          ("%s is undone with %s, which has no @Undoes: its participant would treat it as a step, and"
                  + " let the action take effect later; annotate the record with @Undoes(%s).")
              .formatted(of, type.getSimpleName(), undone(action)));
    }
    if (action instanceof RecordCommand<?, ?> sent && undoes.value() != sent.type()) {
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

  private static String undone(Function<?, OutgoingCommand> action) {
    return action instanceof RecordCommand<?, ?> sent
        ? sent.type().getSimpleName() + ".class"
        : "the action's record";
  }

  @Override
  public OutgoingCommand apply(D subject) {
    return new OutgoingCommand(type.getSimpleName(), routingKey, payload.apply(subject));
  }
}
