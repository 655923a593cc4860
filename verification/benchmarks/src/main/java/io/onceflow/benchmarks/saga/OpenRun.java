package io.onceflow.benchmarks.saga;

import io.onceflow.benchmarks.saga.load.Answers;
import java.util.Map;
import java.util.UUID;
import org.HdrHistogram.Histogram;

/**
 * The result of an open loop.
 *
 * @param part of the closed loop's rate
 * @param perSecond requests that were sent
 * @param answers with times from each request's meant start
 * @param untilConfirmed from each request's meant start, in microseconds
 * @param startedMicros each order's meant start, in microseconds since the epoch
 */
public record OpenRun(
    double part,
    double perSecond,
    Answers answers,
    Histogram untilConfirmed,
    Map<UUID, Long> startedMicros) {}
