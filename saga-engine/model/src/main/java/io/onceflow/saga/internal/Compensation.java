package io.onceflow.saga.internal;

import io.onceflow.saga.Step;
import java.util.function.Function;

/**
 * The semantic undo of a step.
 *
 * @param name the name of the compensation, such as {@code refund-payment}; its step key ends in it
 * @param command makes the command; the requirements of {@link Step.Send#command()} apply here too
 */
public record Compensation<D>(String name, Function<D, OutgoingCommand> command) {}
