package io.onceflow.inbox.internal.consumer;

import io.onceflow.internal.tracing.SpanScope;
import io.onceflow.internal.tracing.Tracing;
import io.onceflow.outbox.internal.MessageHeaders;
import io.opentelemetry.api.trace.SpanKind;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The spans of a batch: one in the trace of each message, the parent of the calls and answers that
 * follow. Where several messages are settled together, the batch is a span in a new trace, to which
 * the spans of the messages link.
 */
final class ProcessSpans {

  private final String system;
  private final List<SpanScope> hops = new ArrayList<>();
  private final List<Delivery> deliveries = new ArrayList<>();

  /** What is done with a batch. */
  @FunctionalInterface
  interface Work {
    void settle(List<Delivery> batch) throws SQLException;
  }

  private ProcessSpans(List<Delivery> batch, String system) {
    this.system = system;
    SpanScope together = batch.size() > 1 ? ofBatch(batch) : null;
    batch.forEach(delivery -> begin(delivery, together));
  }

  /**
   * Has a batch settled, each of its messages within its span.
   *
   * @param system that delivered it, by its name in OpenTelemetry's conventions
   */
  static void around(List<Delivery> batch, String system, Work work) throws SQLException {
    if (!Tracing.isOn()) {
      work.settle(batch);
      return;
    }
    ProcessSpans spans = new ProcessSpans(batch, system);
    try {
      work.settle(spans.deliveries);
    } catch (SQLException | RuntimeException | Error failure) {
      spans.hops.forEach(span -> span.failed(failure));
      throw failure;
    } finally {
      spans.hops.forEach(SpanScope::end);
    }
  }

  private SpanScope ofBatch(List<Delivery> batch) {
    SpanScope span =
        Tracing.begin(SpanKind.INTERNAL, "settle " + batch.getFirst().queue(), null)
            .with("messaging.batch.message_count", batch.size());
    hops.add(span);
    return span;
  }

  private void begin(Delivery delivery, @Nullable SpanScope together) {
    String before = delivery.headers().get(MessageHeaders.TRACEPARENT);
    if (before == null) {
      deliveries.add(delivery);
      return;
    }
    SpanScope span =
        Tracing.begin(
                SpanKind.CONSUMER,
                "process " + delivery.type(),
                before,
                builder -> together == null ? builder : together.linkedFrom(builder))
            .with("messaging.system", system)
            .with("messaging.operation.type", "process")
            .with("messaging.destination.name", delivery.queue())
            .with("messaging.message.id", delivery.messageId())
            .with("messaging.message.conversation_id", delivery.correlationId());
    hops.add(span);
    deliveries.add(
        delivery.with(MessageHeaders.TRACEPARENT, String.valueOf(span.traceparentOr(before))));
  }
}
