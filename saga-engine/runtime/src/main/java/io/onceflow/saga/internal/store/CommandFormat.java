package io.onceflow.saga.internal.store;

import io.onceflow.outbox.OutboxMessage;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * How an orchestrator's commands are written.
 *
 * @param origin of sagas that are started: application and definition, such as {@code
 *     order-service/place-order}
 * @param renderer writes a command's payload as JSON; asked once for a step, when it is first sent
 * @param envelope makes the message of a command, given the type of the saga's subject
 */
public record CommandFormat(
    String origin,
    Function<Object, String> renderer,
    BiFunction<String, SagaMessage, OutboxMessage> envelope) {}
