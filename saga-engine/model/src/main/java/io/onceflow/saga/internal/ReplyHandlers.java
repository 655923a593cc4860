package io.onceflow.saga.internal;

import io.onceflow.message.Done;
import io.onceflow.message.Refused;
import io.onceflow.saga.Step.OutgoingCommand;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The effects on the subject of the replies to a step and to its compensation, by reply record.
 *
 * @param <D> the subject
 */
public final class ReplyHandlers<D> {

  private final Map<Class<?>, Handler<D>> byRecord;

  private record Handler<D>(
      BiFunction<D, Object, Optional<String>> check, BiFunction<D, Object, D> change) {}

  private ReplyHandlers(Map<Class<?>, Handler<D>> byRecord) {
    this.byRecord = byRecord;
  }

  public static <D> ReplyHandlers<D> none() {
    return new ReplyHandlers<>(Map.of());
  }

  public <R extends Record> ReplyHandlers<D> with(
      Class<R> type, BiFunction<D, R, Optional<String>> check, BiFunction<D, R, D> change) {
    Map<Class<?>, Handler<D>> more = new LinkedHashMap<>(byRecord);
    more.put(
        type,
        new Handler<>(
            (subject, reply) -> check.apply(subject, type.cast(reply)),
            (subject, reply) -> change.apply(subject, type.cast(reply))));
    return new ReplyHandlers<>(more);
  }

  /** The records of all replies. */
  public Set<Class<?>> records() {
    return Set.copyOf(byRecord.keySet());
  }

  /** The subject after a reply; unchanged if the definition does not map this reply. */
  public D change(D subject, @Nullable Object reply) {
    Handler<D> handler = reply == null ? null : byRecord.get(reply.getClass());
    return handler == null ? subject : handler.change().apply(subject, reply);
  }

  /**
   * Why a reply does not fit the subject; empty where it does, or where the definition does not map
   * it.
   */
  public Optional<String> check(D subject, @Nullable Object reply) {
    Handler<D> handler = reply == null ? null : byRecord.get(reply.getClass());
    return handler == null ? Optional.empty() : handler.check().apply(subject, reply);
  }

  /** The commands that a record is annotated to answer; empty where it does not say. */
  public static Set<Class<?>> commandsAnsweredBy(Class<?> reply) {
    Done done = reply.getAnnotation(Done.class);
    Refused refused = reply.getAnnotation(Refused.class);
    if (done != null) {
      return Set.copyOf(Arrays.asList(done.value()));
    }
    return refused == null ? Set.of() : Set.copyOf(Arrays.asList(refused.value()));
  }

  /**
   * @throws SagaDefinitionInvalid where a record answers neither the step nor its compensation
   */
  public static <D> void requireAnswer(
      Class<?> reply, String step, Set<Function<D, OutgoingCommand>> commands) {
    Set<Class<?>> answered = commandsAnsweredBy(reply);
    if (answered.isEmpty()) {
      throw new SagaDefinitionInvalid(
          "step \"%s\" takes %s, which has neither @Done nor @Refused; annotate the record with the"
                  .formatted(step, reply.getSimpleName())
              + " command that it answers.");
    }
    for (Function<D, OutgoingCommand> command : commands) {
      if (!(command instanceof RecordCommand<?, ?> sent) || answered.contains(sent.type())) {
        return;
      }
    }
    throw new SagaDefinitionInvalid(
        "step \"%s\" takes %s, which answers %s and neither the step's command nor its"
                .formatted(
                    step,
                    reply.getSimpleName(),
                    answered.stream().map(Class::getSimpleName).sorted().toList())
            + " compensation's.");
  }
}
