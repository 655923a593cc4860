package io.onceflow.systemtests;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.zip.GZIPInputStream;

/** Collects spans, as an OpenTelemetry collector does over HTTP. */
final class Collector implements AutoCloseable {

  private final HttpServer http;
  private final Queue<Span> spans = new ConcurrentLinkedQueue<>();

  private Collector(HttpServer http) {
    this.http = http;
  }

  static Collector start() {
    try {
      HttpServer http =
          HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
      Collector collector = new Collector(http);
      http.createContext("/v1/traces", collector::take);
      http.start();
      return collector;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What a service is told to export to it, soon. */
  Map<String, String> settings() {
    return Map.of(
        "QUARKUS_OTEL_SDK_DISABLED", "false",
        "QUARKUS_OTEL_EXPORTER_OTLP_PROTOCOL", "http/protobuf",
        "QUARKUS_OTEL_EXPORTER_OTLP_ENDPOINT",
            "http://127.0.0.1:%d".formatted(http.getAddress().getPort()),
        "QUARKUS_OTEL_BSP_SCHEDULE_DELAY", "0.2S");
  }

  /** All so far of one trace. */
  List<Span> trace(String id) {
    return spans.stream().filter(span -> span.trace().equals(id)).toList();
  }

  /** All so far. */
  List<Span> all() {
    return List.copyOf(spans);
  }

  @Override
  public void close() {
    http.stop(0);
  }

  private void take(HttpExchange exchange) throws IOException {
    try (exchange) {
      boolean zipped = "gzip".equals(exchange.getRequestHeaders().getFirst("Content-Encoding"));
      InputStream body = exchange.getRequestBody();
      spans.addAll(Span.read((zipped ? new GZIPInputStream(body) : body).readAllBytes()));
      exchange.getResponseHeaders().set("Content-Type", "application/x-protobuf");
      exchange.sendResponseHeaders(200, -1);
    }
  }
}
