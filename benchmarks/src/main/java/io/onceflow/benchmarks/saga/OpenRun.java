package io.onceflow.benchmarks.saga;

import io.onceflow.benchmarks.saga.load.Answers;
import org.HdrHistogram.Histogram;

/**
 * The result of an open loop.
 *
 * @param part of the closed loop's rate
 * @param perSecond requests that were sent
 * @param answers with times from each request's meant start
 * @param untilConfirmed from each request's meant start, in microseconds
 */
record OpenRun(double part, double perSecond, Answers answers, Histogram untilConfirmed) {}
