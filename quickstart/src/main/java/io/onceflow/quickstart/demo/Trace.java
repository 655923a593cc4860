package io.onceflow.quickstart.demo;

import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/**
 * The trace that an order's request begins and that everything follows which comes of it.
 *
 * @param id 32 hexadecimal digits, which services write beside whatever they say of the order
 * @param span of the one who asks, 16 of them
 */
record Trace(String id, String span) {

  /** Where the Jaeger of the compose profile "observability" shows a trace. */
  private static final String VIEWER = "http://localhost:16686/trace/";

  /** One that nobody has. */
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
