package io.onceflow.inbox.internal;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.time.Duration;
import java.util.Optional;

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
   * How long the process that starts a call has the step to itself. Longer than {@link
   * CallOut#deadline()}, or another process would take the step over during the call; short enough
   * that the step of a crashed process is taken over before the saga has sent it twice more.
   */
  @WithDefault("PT20S")
  Duration lease();

  /**
   * How often each replica looks for steps to take over: those whose next attempt is due, and those
   * of processes that have died. While no message has come and no step was due for twenty such
   * intervals, it looks at every twentieth.
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
   * none any more, neither actions nor compensations. A week: an outage that starts on a Friday
   * evening may last until it has been understood.
   *
   * <p>The saga engine keeps it for actions before the pivot, which carry {@code x-expires-at} and
   * end with the definition's deadline, one day by default. Compensations and steps past the pivot
   * are sent until they are answered; after half an hour without an answer the saga shows as STUCK.
   * An operator must resolve a stuck saga before it is this old.
   *
   * <p>If a compensation first arrives when the inbox row of its action is deleted, only the
   * business row shows what the action did. An action whose result is unknown has none, and counts
   * as never started.
   */
  @WithDefault("P7D")
  Duration sagaDeadline();

  /**
   * How long a message may be redriven after it was parked or dead-lettered; redriving an older
   * parked message is refused. Two weeks: the engineer in charge may be on leave.
   */
  @WithDefault("P14D")
  Duration longestRedriveAge();

  /**
   * How long a parked message is kept before it is deleted, unless attempts at it are still made.
   * Zero, the default, keeps it until an operator redrives or deletes it (rule 13). Otherwise at
   * least {@link #longestRedriveAge()}, after which it cannot be redriven.
   */
  @WithDefault("PT0S")
  Duration parkedRetention();

  /** What operators make of parked messages. */
  Edits edits();

  /** Calls to other systems. */
  CallOut callOut();

  /** Messages whose handling fails. */
  Handling handling();

  /** What operators make of parked messages. */
  interface Edits {

    /** When a second operator has to redrive what was edited. */
    SecondOperator secondOperator();

    /** When a second operator has to redrive what was edited. */
    interface SecondOperator {

      /**
       * A parked message with a payload of more bytes than this, as it came or as it was edited, is
       * redriven by another operator than the one who edited it last. 0: each edited message is.
       * Not set, the default: its editor may redrive it.
       */
      Optional<Integer> above();
    }
  }

  /** Attempts at messages that are in order but whose handling fails. */
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

    /**
     * How long a command or a reply that no replica knows is deferred before it stays parked for an
     * operator. A day: a release that was rolled back in the evening is rolled out again the next
     * morning.
     */
    @WithDefault("P1D")
    Duration deferFor();
  }

  /** How calls to other systems are bounded. */
  interface CallOut {

    /**
     * Calls under way at once at most, for each type of command and process. How many there are is
     * measured: more as long as calls wait and the other system answers as fast as it does with
     * few, fewer when it takes twice that time or many calls fail. Set it to what the other system
     * allows, divided by the number of replicas.
     */
    @WithDefault("1000")
    int concurrency();

    /**
     * Calls that may always be under way at once; a process starts with so many. With the same
     * value as {@link #concurrency()}, or a larger one, the number is fixed. Few enough that the
     * other system answers them without a queue: how long it takes with so many calls is what its
     * later answers are compared with.
     */
    @WithDefault("12")
    int concurrencyMin();

    /**
     * Calls that may always wait in memory for their turn, for each type of command and process.
     * Two of the largest batches: while one is called out for, the next may be written down. More
     * wait, up to eight times this number, as long as they get their turn within half of the time
     * between {@link #deadline()} and {@link InboxConfig#lease()}, and those of all types take up
     * less than about an eighth of the heap. The commands of still more stay in the database as
     * started steps and are taken up when there is room; nothing waits for that, neither messages
     * that arrive nor other types of command. A step whose lease ends before its turn comes is put
     * off for a second.
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
     * Calls made for one action at most, each counted in the database. Then its answer is that the
     * result is unknown, and the saga compensates it. With the pauses between them the default
     * takes eight seconds if the other system refuses at once, and forty if it does not answer:
     * longer than its restart, and not too long for a customer who waits. Calls that were not made,
     * such as while the circuit is open, do not count. Actions that never expire, and
     * compensations, are called until they are done.
     */
    @WithDefault("6")
    int attempts();

    /**
     * How long a process that stops lets its calls continue. What has not ended by then is
     * interrupted and passed to another replica at once, which makes the call again under the same
     * key; so are those that wait for their turn. Longer than most calls take, so that few are made
     * twice; short of the ten seconds that Docker grants a container by enough for all else that
     * ends.
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
     * was not made, and does not count as an attempt. Where a lane is {@link #sharedFairly()}, a
     * scope with failed calls in an eighth of the window has a circuit apart, so that only failures
     * of several scopes stop the calls of all.
     */
    interface Circuit {

      /**
       * The latest calls that are counted: enough to tell an outage from the failures of one
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
