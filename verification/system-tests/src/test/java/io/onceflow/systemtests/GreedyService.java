package io.onceflow.systemtests;

import com.sun.management.OperatingSystemMXBean;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.Executors;

/**
 * The program of a service that keeps and spends too much on purpose. It answers where a service
 * does, but has no database and no broker.
 */
final class GreedyService {

  /** Adds {@link #SERIES} to its metrics. */
  static final String GROWS = "/grows";

  /** Takes {@link #SPENT}. */
  static final String SPENDS = "/spends";

  /** Does nothing. */
  static final String MODEST = "/modest";

  /** Five tags of four values each: many series of few values. */
  static final int SERIES = 1_024;

  /** Processor time. */
  private static final Duration SPENT = Duration.ofMillis(2_300);

  private static final String DOCUMENT =
      """
      {"paths": {"%s": {"get": {}}, "%s": {"get": {}}}}
      """
          .formatted(SPENDS, MODEST);

  private static final OperatingSystemMXBean PROCESS =
      ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);

  private static volatile int series;

  private GreedyService() {}

  /** Listens on the ports that a {@link ServiceProcess} names. */
  public static void main(String[] arguments) throws IOException {
    HttpServer service = listen("QUARKUS_HTTP_PORT");
    service.createContext("/", exchange -> answer(exchange, ""));
    service.createContext("/openapi", exchange -> answer(exchange, DOCUMENT));
    service.createContext(
        GROWS,
        exchange -> {
          series = SERIES;
          answer(exchange, "");
        });
    service.createContext(
        SPENDS,
        exchange -> {
          spend();
          answer(exchange, "");
        });
    HttpServer management = listen("QUARKUS_MANAGEMENT_PORT");
    management.createContext("/", exchange -> answer(exchange, metrics()));
  }

  private static HttpServer listen(String port) throws IOException {
    HttpServer server =
        HttpServer.create(
            new InetSocketAddress(
                InetAddress.getLoopbackAddress(), Integer.parseInt(System.getenv(port))),
            0);
    server.setExecutor(Executors.newCachedThreadPool());
    server.start();
    return server;
  }

  private static void answer(HttpExchange exchange, String body) throws IOException {
    try (exchange) {
      exchange.getRequestBody().readAllBytes();
      byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
      exchange.sendResponseHeaders(200, bytes.length == 0 ? -1 : bytes.length);
      exchange.getResponseBody().write(bytes);
    }
  }

  private static void spend() {
    long until = PROCESS.getProcessCpuTime() + SPENT.toNanos();
    while (PROCESS.getProcessCpuTime() < until) {
      Thread.onSpinWait();
    }
  }

  private static String metrics() {
    StringBuilder lines = new StringBuilder();
    for (int i = 0; i < series; i++) {
      lines.append(
          "requests_total{a=\"%d\",b=\"%d\",c=\"%d\",d=\"%d\",e=\"%d\"} 1.0\n"
              .formatted(i & 3, i >> 2 & 3, i >> 4 & 3, i >> 6 & 3, i >> 8 & 3));
    }
    return lines.toString();
  }
}
