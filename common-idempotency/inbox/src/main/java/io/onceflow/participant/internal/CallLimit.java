package io.onceflow.participant.internal;

import java.time.Duration;

/**
 * How many calls for the commands of one type begin in a time, over all replicas.
 *
 * @param most from 1 on
 * @param within positive
 */
public record CallLimit(int most, Duration within) {}
