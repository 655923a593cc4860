package io.onceflow.outbox.internal;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import io.smallrye.config.WithParentName;
import java.time.Duration;
import java.util.Comparator;
import java.util.stream.Stream;

/** The outbox's configuration. */
@ConfigMapping(prefix = "onceflow.outbox")
public interface OutboxConfig {

  /** The relay. */
  Relay relay();

  /**
   * Messages that may wait in the outbox before requests are shed that would add to it, of all
   * replicas together; which requests, {@code onceflow.admission.requests} says. A relay sends some
   * ten thousand a second, so this many are a second of its work. While the broker is available the
   * bound is not reached; while it is unavailable, requests are accepted up to this many messages.
   */
  @WithDefault("10000")
  long mostWaiting();

  /** What the relay may use and how long it waits. */
  interface Relay {

    /**
     * How the relay learns of messages: with {@code poller} the thread that has committed messages
     * publishes them, and the relay reads all others from the table; {@code none} sends nothing,
     * for those whose messages Debezium sends.
     */
    @WithParentName
    @WithDefault("poller")
    RelayMode mode();

    /** Relay threads of this process, each with a channel and, while it works, a connection. */
    @WithDefault("2")
    int threads();

    /** Rows claimed, published and deleted together. */
    @WithDefault("500")
    int batchSize();

    /**
     * How often to look without having been woken: finds rows of processes that died between commit
     * and wake-up. After twenty such intervals in which nothing was found, one of the threads looks
     * at every twentieth.
     */
    @WithDefault("PT1S")
    Duration pollInterval();

    /**
     * How long the broker may take to confirm a batch. Rows unconfirmed by then stay and are
     * resent, with the same message-id.
     */
    @WithDefault("PT10S")
    Duration confirmDeadline();

    /**
     * Messages that are sent as one AMQP message at most, when several for one exchange and routing
     * key wait together and a queue there is bound for bundles; 1 bundles nothing. A bundle costs
     * about as much as a message; past a hundred the cost of the rest dominates, and one consumer
     * would get more than it can settle at once.
     */
    @WithDefault("128")
    int largestBundle();

    /**
     * How long only the process that has written a message publishes it, from memory; then any
     * relay may. Messages of a process that died after its commit are this late. With zero all
     * messages are read back from the table. Should exceed the time that the broker takes to
     * confirm; a message not confirmed by then is resent, under the same id.
     */
    @WithDefault("PT5S")
    Duration directPublishGrace();

    /**
     * Messages of which copies may be in memory until they are confirmed. With no room messages are
     * read back from the table, later. At a few kilobytes each the default is some 10 MB at worst.
     */
    @WithDefault("5000")
    int directPublishRoom();

    /** First pause after a message was returned or not confirmed; doubles each time. */
    @WithDefault("PT0.5S")
    Duration firstBackoff();

    /** Longest pause between two attempts for one message, and between two attempts to connect. */
    @WithDefault("PT30S")
    Duration longestBackoff();

    /** For how long a message is left alone at most: this one, or a longer one of these. */
    default Duration longestPause(Duration other) {
      return Stream.of(other, longestBackoff(), directPublishGrace(), confirmDeadline())
          .max(Comparator.naturalOrder())
          .orElseThrow();
    }

    /** The pause after so many failures in a row, at least one. */
    default Duration backoff(int failures) {
      Duration backoff = firstBackoff().multipliedBy(1L << Math.min(failures - 1, 10));
      return backoff.compareTo(longestBackoff()) < 0 ? backoff : longestBackoff();
    }
  }
}
