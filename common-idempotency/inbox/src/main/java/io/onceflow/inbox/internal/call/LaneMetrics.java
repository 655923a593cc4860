package io.onceflow.inbox.internal.call;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.function.ToIntFunction;

/** Shows the lanes as metrics. */
record LaneMetrics(MeterRegistry metrics) {

  void show(String type, CallLane<?> lane) {
    gauge(
        "limit", "Calls of this type that may be in progress at once", type, lane, CallLane::limit);
    gauge("active", "Calls of this type in progress", type, lane, CallLane::calling);
    gauge("waiting", "Calls of this type that wait", type, lane, CallLane::waiting);
  }

  private void gauge(
      String name, String says, String type, CallLane<?> lane, ToIntFunction<CallLane<?>> value) {
    Gauge.builder("onceflow.inbox.calls." + name, lane, value::applyAsInt)
        .description(says)
        .tag("type", type)
        .register(metrics);
  }
}
