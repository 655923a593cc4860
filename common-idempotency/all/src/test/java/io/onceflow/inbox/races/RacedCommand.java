package io.onceflow.inbox.races;

import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A command to race with, and what it should come to.
 *
 * <pre>{@code
 * static final RacedCommand REFUND =
 *     command("RefundPayment", order -> "{\"orderId\": \"%s\"}".formatted(order))
 *         .does("REFUND").answers("PaymentRefunded");
 *
 * static final RacedCommand PROCESS =
 *     command("ProcessPayment", order -> …)
 *         .does("CHARGE").answers("PaymentProcessed").refuses("PaymentDeclined").undoneBy(REFUND);
 * }</pre>
 *
 * @param type the AMQP type
 * @param payload JSON for a subject, whose id it is given
 * @param effects kinds of ledger entries that it makes when it is carried out
 * @param answer type of the reply when it was carried out
 * @param refusal type of the reply when it was cancelled, has expired or is in doubt; null for one
 *     that is never refused, such as a compensation
 * @param before commands to be carried out for the subject first
 * @param underItsKey whether those have the same root key
 * @param undo the compensation; null when it has none
 */
public record RacedCommand(
    String type,
    Function<UUID, String> payload,
    List<String> effects,
    String answer,
    @Nullable String refusal,
    List<RacedCommand> before,
    boolean underItsKey,
    @Nullable RacedCommand undo) {

  /** Begins to describe a command. */
  public static RacedCommand command(String type, Function<UUID, String> payload) {
    return new RacedCommand(type, payload, List.of(), "", null, List.of(), true, null);
  }

  /** Makes these entries in the ledger. */
  public RacedCommand does(String... kinds) {
    return new RacedCommand(
        type, payload, List.of(kinds), answer, refusal, before, underItsKey, undo);
  }

  /** Is answered by a reply of this type when it was carried out. */
  public RacedCommand answers(String reply) {
    return new RacedCommand(type, payload, effects, reply, refusal, before, underItsKey, undo);
  }

  /** Is answered by a reply of this type when it was not carried out. */
  public RacedCommand refuses(String reply) {
    return new RacedCommand(type, payload, effects, answer, reply, before, underItsKey, undo);
  }

  /** Is undone by this compensation. */
  public RacedCommand undoneBy(RacedCommand compensation) {
    return new RacedCommand(
        type, payload, effects, answer, refusal, before, underItsKey, compensation);
  }

  /** Comes after these, of the same saga: as a compensation after its action. */
  public RacedCommand after(RacedCommand... first) {
    return new RacedCommand(type, payload, effects, answer, refusal, List.of(first), true, undo);
  }

  /** Comes after these, which belong to an earlier saga. */
  public RacedCommand afterEarlier(RacedCommand... first) {
    return new RacedCommand(type, payload, effects, answer, refusal, List.of(first), false, undo);
  }

  /** The compensation of a command that has one. */
  RacedCommand compensation() {
    if (undo == null) {
      throw new IllegalStateException(type + " has no compensation");
    }
    return undo;
  }

  /** What the ledger says when all went well, in this order. */
  List<String> allEffects() {
    return Stream.concat(before.stream().flatMap(it -> it.effects().stream()), effects.stream())
        .toList();
  }

  /** For the names of tests. */
  @Override
  public String toString() {
    return type;
  }
}
