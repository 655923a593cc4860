package io.onceflow.benchmarks.compare;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** The products that are compared, and what each does in the time that is measured. */
public enum PeerName {
  ONCEFLOW(
      "Onceflow",
      new Facts(
          "three services, PostgreSQL with three databases, a broker",
          "POST with a checked JWT; the answer is kept under its Idempotency-Key",
          "in two other services: command and reply through outbox, broker and inbox",
          "request, order, saga, history, messages, handled steps, payments, shipments",
          "yes, at each participant",
          "201 once the saga is stored; a saga counts when its end is committed")),
  ONE_APPLICATION(
      "Onceflow in one application",
      new Facts(
          "one JVM, PostgreSQL with one database",
          "POST; the answer is kept under its Idempotency-Key",
          "in the same JVM: a method call, in the transaction that stores its result",
          "request, order, saga, history, handled steps, payments, shipments",
          "yes, in its transaction",
          "201 once the saga is stored; a saga counts when its end is committed")),
  DBOS(
      "DBOS Transact",
      new Facts(
          "one JVM, PostgreSQL with one database",
          "a method call in the same JVM; the key is the workflow's id",
          "in the same JVM: a method call",
          "the workflow's input, state and result, and each step's result",
          "no; a step that ran and was not stored runs again",
          "the saga's end")),
  DBOS_WITH_ROWS(
      "DBOS Transact with business rows",
      new Facts(
          "one JVM, PostgreSQL with one database",
          "a method call in the same JVM; the key is the workflow's id",
          "in the same JVM: a method call, with a transaction for its row",
          "as DBOS, and order, payment, shipment",
          "by the key of its row; the row commits before the step's result",
          "the saga's end")),
  RESTATE(
      "Restate",
      new Facts(
          "the server with its own log and RocksDB, and one JVM with the saga's steps; no database",
          "HTTP to the server's ingress, with an idempotency key; no authentication",
          "in the JVM of the saga, which the server calls by HTTP/2",
          "the invocation, each step's result and the answer, in the server's log",
          "no; a step that ran and was not stored runs again",
          "the saga's end")),
  TEMPORAL(
      "Temporal test server",
      new Facts(
          "one JVM; the server keeps everything in memory",
          "gRPC within the same JVM; the key is the workflow's id",
          "in a worker of the same JVM: an activity through the server's task queue",
          "nothing: the server is made for tests",
          "no; an activity whose result was lost runs again",
          "the saga's end"));

  private final String label;
  private final Facts facts;

  PeerName(String label, Facts facts) {
    this.label = label;
    this.facts = facts;
  }

  /**
   * What a product does while it is measured.
   *
   * @param processes that share the machine
   * @param start how a saga is started
   * @param steps where they run
   * @param durable what is on disk when a saga has ended
   * @param deduplicates whether a participant recognizes a step that it has done
   * @param clientWaits for what, until it starts its next saga
   */
  public record Facts(
      String processes,
      String start,
      String steps,
      String durable,
      String deduplicates,
      String clientWaits) {}

  /** For people. */
  public String label() {
    return label;
  }

  /** On the command line and in JSON. */
  public String key() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  boolean isOnceflow() {
    return this == ONCEFLOW || this == ONE_APPLICATION;
  }

  /** The folder below {@code verification/benchmarks/peers}. */
  String module() {
    return this == DBOS_WITH_ROWS ? DBOS.key() : key();
  }

  /** What it does in the time that is measured. */
  public Facts facts() {
    return facts;
  }

  /**
   * The product with a key.
   *
   * @throws IllegalArgumentException if there is none, with those that there are
   */
  public static PeerName of(String key) {
    return Arrays.stream(values())
        .filter(it -> it.key().equalsIgnoreCase(key.strip()))
        .findAny()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "'%s' is none of %s"
                        .formatted(
                            key,
                            Arrays.stream(values())
                                .map(PeerName::key)
                                .collect(Collectors.joining(", ")))));
  }
}
