package io.onceflow.saga;

import io.onceflow.message.Done;
import io.onceflow.saga.Step.OutgoingCommand;
import io.onceflow.saga.internal.RecordCommand;
import io.onceflow.saga.internal.ReplyHandlers;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The steps and compensations of a definition that send a command, by their names, in the order of
 * the steps; of a step for each item by the name that its items have in common.
 */
record SentCommands<D>(Map<String, Sent<D>> byName) {

  /** What a step is asked for by its command, or by its compensation's. */
  private record Sent<D>(Step.Send<D> step, Function<D, OutgoingCommand> command) {

    boolean isOneOf(Set<Class<?>> commands) {
      return command instanceof RecordCommand<?, ?> it && commands.contains(it.type());
    }
  }

  static <D> SentCommands<D> of(List<Step<D>> steps) {
    Map<String, Sent<D>> all = new LinkedHashMap<>();
    for (Step<D> step : steps) {
      if (step instanceof Step.Send<D> send) {
        put(all, send);
      } else if (step instanceof ItemSteps<D, ?> items) {
        items.template().ifPresent(send -> put(all, send));
      }
    }
    return new SentCommands<>(all);
  }

  private static <D> void put(Map<String, Sent<D>> all, Step.Send<D> send) {
    all.put(send.name(), new Sent<>(send, send.command()));
    send.compensation().ifPresent(undo -> all.put(undo.name(), new Sent<>(send, undo.command())));
  }

  Optional<Function<D, OutgoingCommand>> commandOf(String name) {
    return Optional.ofNullable(byName.get(name)).map(Sent::command);
  }

  /** The records of all commands. */
  Set<Class<?>> commands() {
    return byName.values().stream()
        .flatMap(it -> it.command() instanceof RecordCommand<?, ?> of ? Stream.of(of.type()) : null)
        .collect(Collectors.toCollection(LinkedHashSet::new));
  }

  /** The records of all replies that are taken, by their simple names. */
  Map<String, Class<?>> replies() {
    Map<String, Class<?>> all = new LinkedHashMap<>();
    byName.values().stream()
        .flatMap(it -> it.step().replies().records().stream())
        .forEach(reply -> all.put(reply.getSimpleName(), reply));
    return all;
  }

  /** Those whose command a reply's record answers. */
  Stream<String> answeredBy(Class<?> reply) {
    Set<Class<?>> commands = ReplyHandlers.commandsAnsweredBy(reply);
    return byName.entrySet().stream()
        .filter(it -> it.getValue().isOneOf(commands))
        .map(Map.Entry::getKey);
  }

  /** What is done with replies to a step or compensation, be it of an item. */
  Optional<ReplyHandlers<D>> repliesTo(String asked) {
    return Optional.ofNullable(byName.get(ItemSteps.stepOf(asked))).map(it -> it.step().replies());
  }

  /** Whether the subject takes note of no success of a step or compensation. */
  boolean takesAnySuccess(String asked) {
    return repliesTo(asked).stream()
        .flatMap(replies -> replies.records().stream())
        .filter(reply -> reply.isAnnotationPresent(Done.class))
        .flatMap(this::answeredBy)
        .noneMatch(ItemSteps.stepOf(asked)::equals);
  }
}
