package io.onceflow.systemtests.chaos.world;

import io.onceflow.launcher.check.Finding;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Everything that was asked for, and everything that has come of it.
 *
 * @param asked what clients asked for and were told
 * @param orders the order service's rows
 * @param sagas its sagas
 * @param gateway the gateway's ledger
 * @param carrier the carrier's ledger
 * @param parked what the services could not handle
 * @param left what should be gone by now
 * @param rewritten steps that were written after they had been completed
 * @param probes commands that were sent by hand
 * @param overtaken orders whose refunds were sent by hand before their charges
 * @param losses when messages were lost on purpose
 * @param told events that were heard, as {@code type order}; null where the broker forgets
 * @param shown orders as their customers read them; a part of them may do
 * @param recoveries how long services took to be ready
 * @param served how other callers were served while one thing was wrong
 * @param interrupted how they were answered while nothing could be written
 * @param limits what all this may take
 * @param checked what {@code ./onceflow check} finds
 * @param planted what was altered in the books after all else here was taken down
 * @param found what the services found when they compared their books then
 */
public record World(
    List<Asked> asked,
    List<Order> orders,
    List<Saga> sagas,
    List<Entry> gateway,
    List<Entry> carrier,
    List<Parked> parked,
    List<Left> left,
    List<Rewritten> rewritten,
    List<Probe> probes,
    List<Probe> overtaken,
    List<Loss> losses,
    @Nullable Set<String> told,
    List<Shown> shown,
    List<Recovery> recoveries,
    List<Served> served,
    List<Interrupted> interrupted,
    Limits limits,
    List<Finding> checked,
    Set<Difference> planted,
    Set<Difference> found) {

  /** Begins the names of callers that are part of what goes wrong. */
  public static final String PART_OF_CHAOS = "chaos-";

  /** The scope of messages that cannot be handled and were not meant to be. */
  public static final String NONSENSE = PART_OF_CHAOS + "nonsense";

  /** The scope of sagas that could not be read for a while; answers to them may be parked. */
  public static final String POISONED = PART_OF_CHAOS + "poisoned";

  /** The same, and what was planted in the books then and found. */
  public World compared(Set<Difference> planted, Set<Difference> found) {
    return new World(
        asked,
        orders,
        sagas,
        gateway,
        carrier,
        parked,
        left,
        rewritten,
        probes,
        overtaken,
        losses,
        told,
        shown,
        recoveries,
        served,
        interrupted,
        limits,
        checked,
        planted,
        found);
  }

  /**
   * A difference of two books.
   *
   * @param comparison such as {@code payments-gateway}
   * @param kind such as {@code MISSING_HERE}
   * @param reference of an entry; in the order service's books the order
   */
  public record Difference(String comparison, String kind, String reference) {

    /** Which order it is about; empty where the reference is that of a charge or of a booking. */
    String orderId() {
      return comparison.startsWith("orders-") ? reference : "";
    }
  }

  /**
   * An order that a client asked for under one key, however often.
   *
   * @param amount in minor units
   * @param orderIds the ids of its order in the answers, each once; empty without an answer
   * @param cancellations what it was answered when it cancelled, in short, such as {@code too-late}
   */
  public record Asked(
      String customer, String key, long amount, Set<String> orderIds, List<String> cancellations) {}

  /**
   * A row of {@code orders}.
   *
   * @param amount in minor units
   */
  public record Order(String id, String customer, String status, long amount) {}

  /**
   * A row of {@code saga_instance}.
   *
   * @param orderId whose saga it is
   */
  public record Saga(String id, String orderId, String customer, String rootKey, String status) {}

  /**
   * An entry in the books of gateway or carrier.
   *
   * @param amount in minor units; 0 in the carrier's
   */
  public record Entry(String orderId, String kind, long amount) {}

  /**
   * A row of {@code parked_message}.
   *
   * @param scope whose message it is; empty if it does not say
   */
  public record Parked(String service, String scope, String reason, String what) {}

  /**
   * Something that should be gone once all is quiet.
   *
   * @param where such as {@code order-service outbox_message}
   * @param orderId what it is about, as far as that is known; may be empty
   */
  public record Left(String where, String orderId, String what) {}

  /**
   * Steps of a service that were written again after they had been completed.
   *
   * @param times how often that was tried
   * @param steps where it came to that
   */
  public record Rewritten(String service, long times, List<String> steps) {}

  /**
   * A command that no saga sends again: once the broker has confirmed it, it must be carried out.
   *
   * @param confirmedAt by the chaos' own clock; null if it was not, so that it may be carried out
   */
  public record Probe(String orderId, @Nullable Instant confirmedAt) {}

  /** All that the payment service's queue held was thrown away. */
  public record Loss(Instant at) {}

  /** An order as the order service shows it to its customer. */
  public record Shown(String orderId, int httpStatus, String status) {}

  /**
   * A service that was started, or let go on.
   *
   * @param took until it was ready, without the time in which something it needs was away; null if
   *     it never was
   */
  public record Recovery(String replica, String what, @Nullable Duration took) {}

  /**
   * How callers were served while one thing was wrong.
   *
   * @param during what was wrong
   * @param posts how many orders they placed, each with as many requests as it took
   * @param post how long these took
   * @param isConfirmed whether the orders have to be confirmed meanwhile, too
   * @param confirmed how long they took from their 201 until then
   */
  public record Served(
      String during, int posts, TimeTaken post, boolean isConfirmed, TimeTaken confirmed) {}

  /**
   * How long something took that was done many times.
   *
   * @param p50 half of them; null if there were none, or half never ended
   * @param p99 99 of 100, likewise
   */
  public record TimeTaken(@Nullable Duration p50, @Nullable Duration p99) {

    /** There were none, or none ended. */
    public static final TimeTaken NEVER = new TimeTaken(null, null);

    /**
     * How long they took.
     *
     * @param ended of those that ended
     * @param all how many there were
     */
    public static TimeTaken of(Collection<Duration> ended, int all) {
      List<Duration> sorted = ended.stream().sorted().toList();
      return new TimeTaken(at(sorted, all * 50 / 100), at(sorted, all * 99 / 100));
    }

    private static @Nullable Duration at(List<Duration> sorted, int place) {
      return place < sorted.size() ? sorted.get(place) : null;
    }
  }

  /**
   * How callers were answered while nothing could be written.
   *
   * @param during what was wrong
   * @param requests that they sent once services could know
   * @param answered how long 99 of 100 answers to these took; null if there were none
   * @param resumed from the end of it until each of them had placed an order; null for never
   */
  public record Interrupted(
      String during, int requests, @Nullable Duration answered, @Nullable Duration resumed) {}
}
