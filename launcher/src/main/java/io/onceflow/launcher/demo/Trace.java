package io.onceflow.launcher.demo;

import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/**
 * The trace context of an order's request, which all messages and calls of the order carry.
 *
 * @param id 32 hexadecimal digits, which the services write in their log lines about the order
 * @param span the caller's, 16 hexadecimal digits
 */
record Trace(String id, String span) {

  /** Where the Jaeger of the compose profile "observability" shows a trace. */
  private static final String VIEWER = "http://localhost:16686/trace/";

  /** A new trace with random ids. */
  static Trace begin() {
    ThreadLocalRandom random = ThreadLocalRandom.current();
    return new Trace(
        "%016x%016x".formatted(random.nextLong(), random.nextLong() | 1),
        "%016x".formatted(random.nextLong() | 1));
  }

  /** As HTTP says it (W3C Trace Context): sampled. */
  String header() {
    return "00-%s-%s-01".formatted(id, span);
  }

  /** How to find it. */
  List<String> told() {
    return List.of("trace " + id, "  every hop, where traces are collected: " + VIEWER + id);
  }
}
