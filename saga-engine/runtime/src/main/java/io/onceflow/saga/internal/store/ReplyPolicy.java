package io.onceflow.saga.internal.store;

import io.onceflow.message.Command;
import io.onceflow.saga.SagaDefinition;
import io.onceflow.saga.internal.CommandKind;
import io.onceflow.saga.internal.Reply;
import io.onceflow.saga.internal.SagaDefinitionInvalid;
import io.onceflow.saga.internal.engine.SagaEvent;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Which reply is believed: the participant that was asked publishes its replies under the routing
 * key {@code <reply-to>.<participant>}, which the broker's topic permissions keep others from.
 *
 * @param replyTo the routing key that commands ask replies to be sent to, such as {@code
 *     order-service}
 * @param participants which participant gets the commands whose routing key starts with a word;
 *     without an entry it is that word followed by {@code -service}, as in {@code payment.process}
 *     and {@code payment-service}
 */
public record ReplyPolicy(String replyTo, Map<String, String> participants) {

  public ReplyPolicy {
    participants = Map.copyOf(participants);
  }

  /**
   * Believes the participants that the commands of these definitions name.
   *
   * @param configured by the first word of their routing keys; comes before what a command names
   * @throws SagaDefinitionInvalid where two commands name two participants for one queue
   */
  public static ReplyPolicy of(
      String replyTo,
      List<? extends SagaDefinition<?>> definitions,
      Map<String, String> configured) {
    Map<String, Class<?>> naming = new HashMap<>();
    definitions.stream()
        .flatMap(definition -> definition.commands().stream())
        .filter(command -> !named(command).isEmpty())
        .forEach(command -> checkSame(naming.putIfAbsent(wordOf(command), command), command));
    Map<String, String> participants = new HashMap<>();
    naming.forEach((word, command) -> participants.put(word, named(command)));
    participants.putAll(configured);
    return new ReplyPolicy(replyTo, participants);
  }

  private static void checkSame(@Nullable Class<?> before, Class<?> command) {
    if (before != null && !named(before).equals(named(command))) {
      throw new SagaDefinitionInvalid(
          "%s is of \"%s\" and %s is of \"%s\", but both routing keys begin with \"%s\", and so both go to one queue; name one participant in both, or begin one routing key with another word."
              .formatted(
                  before.getSimpleName(),
                  named(before),
                  command.getSimpleName(),
                  named(command),
                  wordOf(command)));
    }
  }

  private static String named(Class<?> command) {
    return command.getAnnotation(Command.class).of();
  }

  private static String wordOf(Class<?> command) {
    return wordOf(command.getAnnotation(Command.class).value());
  }

  /** The participant that gets the commands of a routing key. */
  public String participantOf(String routingKey) {
    String word = wordOf(routingKey);
    return participants.getOrDefault(word, defaultParticipant(word));
  }

  /**
   * The participant that gets commands where neither they nor the configuration name another.
   *
   * @param word the first of their routing keys
   */
  public static String defaultParticipant(String word) {
    return word + "-service";
  }

  private static String wordOf(String routingKey) {
    return routingKey.split("\\.", 2)[0];
  }

  /**
   * Why a reply is not accepted: another service than the participant of the step sent it, or it
   * does not fit the saga. Changes nothing.
   *
   * @param routingKey under which the broker accepted it; null where the transport has none
   */
  public Optional<String> objection(
      LockedSaga<?> saga, SagaEvent.Replied reply, @Nullable String routingKey) {
    Optional<CommandKind> asked = saga.kindOf(reply.step());
    if (asked.isEmpty()) {
      return Optional.of("%s has no step %s".formatted(saga.definition(), reply.step()));
    }
    if (!answers(saga, reply.reply(), reply.step(), asked.get())) {
      return Optional.of(
          "%s is no answer to the step %s".formatted(reply.reply().type(), reply.step()));
    }
    String participant = participantOf(asked.get().routingKey());
    if (!(replyTo + "." + participant).equals(routingKey)) {
      return Optional.of(
          "%s was asked for %s; the reply has the routing key %s, and neither its @Command nor onceflow.saga.replies.participants.%s names the sender"
              .formatted(participant, reply.step(), routingKey, wordOf(asked.get().routingKey())));
    }
    return saga.factsObjection(reply);
  }

  /** One command may serve several steps: a reply to it answers each of them. */
  private static boolean answers(LockedSaga<?> saga, Reply reply, String step, CommandKind asked) {
    return reply.step().equals(step)
        || saga.kindOf(reply.step()).filter(kind -> kind.type().equals(asked.type())).isPresent();
  }
}
