package io.onceflow.inbox.internal;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.time.Duration;

/** The inbox's configuration. */
@ConfigMapping(prefix = "onceflow.inbox")
public interface InboxConfig {

  /**
   * Messages settled in one transaction, at most. Whatever has arrived is taken, without waiting
   * for more: a larger bound costs nothing while little arrives.
   */
  @WithDefault("512")
  int batchSize();

  /**
   * How long a step that calls out is its owner's. Longer than {@link CallOut#deadline()}, or an
   * owner would be replaced while it still works; short enough that a crashed owner is replaced
   * before the saga asks again twice.
   */
  @WithDefault("PT20S")
  Duration lease();

  /**
   * How often each replica looks for steps without an owner: those whose next attempt is due, and
   * those of owners that have died.
   */
  @WithDefault("PT0.5S")
  Duration recoveryInterval();

  /**
   * How long the row of a step is kept after the step has ended: the memory that makes a repeat
   * harmless (rule 14). Must be longer than {@link #sagaDeadline()} and {@link
   * #longestRedriveAge()} together; start-up refuses anything else. The default leaves nine days
   * between, for clocks, holidays and second thoughts.
   */
  @WithDefault("P30D")
  Duration retention();

  /**
   * What the senders of commands guarantee: after this long, counted from its start, a saga sends
   * none any more, neither actions nor compensations. A week: an outage that begins on a Friday
   * evening may last until it has been understood.
   *
   * <p>The saga engine keeps it for actions before the pivot, which carry {@code x-expires-at} and
   * end with the definition's deadline, one day unless it says otherwise. Compensations and steps
   * past the pivot are sent until they are answered, after half an hour from a saga that shows as
   * STUCK; so an operator must resolve a stuck saga before it is this old.
   *
   * <p>Should a compensation first arrive when its action is forgotten, it finds what the action
   * has done by the business row alone; an action that was left in doubt has none, and is taken for
   * never begun.
   */
  @WithDefault("P7D")
  Duration sagaDeadline();

  /**
   * The promise of operators: nothing that was parked or dead-lettered longer ago than this is
   * redriven; where it is parked, redriving refuses it. Two weeks: time for an engineer who knows
   * the matter to come back from leave.
   */
  @WithDefault("P14D")
  Duration longestRedriveAge();

  /** Calls to the outside world. */
  CallOut callOut();

  /** Messages whose handling fails. */
  Handling handling();

  /** How often messages are tried whose handling fails for a reason of our own. */
  interface Handling {

    /**
     * Attempts at most, the first one included, counted in the database; then the message stays
     * parked for an operator. With the pauses between them about fifteen seconds: a replica that
     * starts, or a row that is still being written, is there by then, and a bug is not mended.
     */
    @WithDefault("5")
    int attempts();

    /** Pause after the second attempt, the first that is made again; doubles each time. */
    @WithDefault("PT2S")
    Duration firstBackoff();

    /** Longest pause between two attempts. */
    @WithDefault("PT1M")
    Duration longestBackoff();
  }

  /** How calls to the outside world are bounded. */
  interface CallOut {

    /**
     * Calls under way at once, for each type of command and process. Sixty calls a second to a side
     * that takes 200 ms; what the other side allows decides.
     */
    @WithDefault("12")
    int concurrency();

    /**
     * Calls that wait in memory for their turn, for each type of command and process. The commands
     * of more stay in the database as started steps and are taken up when there is room; nothing
     * waits for that, neither the intake nor other types of command. Two of the largest batches:
     * while one is called out for, the next may be written down. A step whose lease ends before its
     * turn comes is put off for a second.
     */
    @WithDefault("1024")
    int waiting();

    /**
     * Whether a scope, such as a customer, gets no more calls at once, and no more that wait, than
     * it leaves free for other scopes: alone it uses up to a half of them. Set it to false where
     * all commands have one scope.
     */
    @WithDefault("true")
    boolean sharedFairly();

    /**
     * A call that takes longer is interrupted; its outcome is unknown and it is made again. Longer
     * than the slowest system that still answers; short of the lease by enough for a result to be
     * written. {@link io.onceflow.participant.CallsOut#deadline} sets it for one handler.
     */
    @WithDefault("PT5S")
    Duration deadline();

    /**
     * Calls made for one action at most, each counted in the database. Then it is answered as in
     * doubt, and the saga compensates it. With the pauses between them, eight seconds for an
     * outside that refuses at once, and forty for one that does not answer: longer than a restart
     * on the other side, and no longer than a customer may be left waiting. Calls that were not
     * made do not count, so a circuit that is open uses up nothing. Actions that never expire, and
     * compensations, are tried until they are done.
     */
    @WithDefault("6")
    int attempts();

    /**
     * How long a process that stops lets its calls go on. What has not ended by then is interrupted
     * and handed over to another replica at once, which makes the call again under the same key; so
     * are those that wait for their turn. Longer than most calls take, so that few are made twice;
     * short of the ten seconds that Docker grants a container by enough for all else that ends.
     */
    @WithDefault("PT4S")
    Duration stopWithin();

    /** First pause after a failed call; doubles each time. */
    @WithDefault("PT0.25S")
    Duration firstBackoff();

    /** Longest pause between two attempts. */
    @WithDefault("PT30S")
    Duration longestBackoff();

    /** When no calls are made because most of them fail. */
    Circuit circuit();

    /**
     * A circuit breaker, for each type of command and process. A call that it does not let through
     * was not made, and does not count as an attempt.
     */
    interface Circuit {

      /**
       * The latest calls that are looked at: enough to tell an outage from the trouble of one
       * customer.
       */
      @WithDefault("40")
      int window();

      /**
       * The part of them that has failed when no more calls are made. Above 1, calls are always
       * made.
       */
      @WithDefault("0.75")
      double failureRatio();

      /** How long no calls are made; then one call is, as a trial. */
      @WithDefault("PT2S")
      Duration pause();
    }
  }
}
