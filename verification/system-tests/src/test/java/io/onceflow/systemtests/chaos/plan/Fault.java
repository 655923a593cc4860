package io.onceflow.systemtests.chaos.plan;

import java.time.Duration;

/**
 * Something that is going to go wrong.
 *
 * @param at after the beginning of the run
 * @param kind what
 * @param replica the replica that it hits: 0 and 1 are the order service's, then the payment and
 *     the shipping service's
 * @param lasting for how long
 * @param atBroker on the connections to the broker; else on those to PostgreSQL
 * @param size how many messages or connections, where it is about those
 * @param seed of all that is drawn while it is done
 */
public record Fault(
    Duration at, Kind kind, int replica, Duration lasting, boolean atBroker, int size, long seed) {

  /** What is wrong and where, without the time: such as {@code SILENCE of 1 at PostgreSQL}. */
  public String inWords() {
    return kind == Kind.SILENCE
        ? "%s of %d at %s".formatted(kind, size, atBroker ? "the broker" : "PostgreSQL")
        : kind.name();
  }

  /** In a few words. */
  @Override
  public String toString() {
    return "%5.1f s %s".formatted(at.toMillis() / 1000.0, kind);
  }
}
