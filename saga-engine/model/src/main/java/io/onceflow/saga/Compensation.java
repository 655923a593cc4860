package io.onceflow.saga;

import java.util.function.Function;

/**
 * The semantic undo of a step.
 *
 * @param name its own name, since it has a step key of its own: {@code refund-payment}
 * @param command makes the command; the law of {@link Step.Send#command()} holds here too
 */
public record Compensation<D>(String name, Function<D, OutgoingCommand> command) {}
