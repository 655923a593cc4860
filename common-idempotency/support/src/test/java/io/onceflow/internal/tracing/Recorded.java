package io.onceflow.internal.tracing;

import io.opentelemetry.api.GlobalOpenTelemetry;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import java.util.Collection;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** The spans of this process while it is open; after that nothing is traced. */
public final class Recorded implements AutoCloseable {

  private final Queue<SpanData> spans = new ConcurrentLinkedQueue<>();

  public Recorded() {
    GlobalOpenTelemetry.resetForTest();
    Tracing.forget();
    OpenTelemetrySdk.builder()
        .setTracerProvider(
            SdkTracerProvider.builder()
                .addSpanProcessor(SimpleSpanProcessor.create(new Keeping()))
                .build())
        .buildAndRegisterGlobal();
  }

  /** Those that have ended. */
  public List<SpanData> spans() {
    return List.copyOf(spans);
  }

  /** The first of this name that has ended. */
  public SpanData span(String name) {
    return spans.stream().filter(span -> span.getName().equals(name)).findFirst().orElseThrow();
  }

  @Override
  public void close() {
    GlobalOpenTelemetry.resetForTest();
    Tracing.forget();
  }

  private final class Keeping implements SpanExporter {

    @Override
    public CompletableResultCode export(Collection<SpanData> ended) {
      spans.addAll(ended);
      return CompletableResultCode.ofSuccess();
    }

    @Override
    public CompletableResultCode flush() {
      return CompletableResultCode.ofSuccess();
    }

    @Override
    public CompletableResultCode shutdown() {
      return CompletableResultCode.ofSuccess();
    }
  }
}
