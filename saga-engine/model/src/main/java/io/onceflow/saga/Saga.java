package io.onceflow.saga;

import io.onceflow.saga.internal.RetryPolicy;
import java.util.List;

/**
 * A saga that an application runs. Its beans are found; each is one definition in all versions that
 * sagas may still follow.
 *
 * <pre>{@code
 * @ApplicationScoped
 * class BookTrip implements Saga<Trip> {
 *   public SagaDefinition<Trip> definition() {
 *     return saga("book-trip", 1,
 *         step("reserve-flight").send(ReserveFlight.class, Trip::reserveFlight)
 *             .compensateWith(CancelFlight.class, Trip::cancelFlight)
 *             .on(FlightReserved.class, Trip::flightReserved),
 *         pivot("charge-card").send(ChargeCard.class, Trip::chargeCard).on(CardCharged.class, Trip::charged),
 *         step("confirm").run(Trip::confirm));
 *   }
 * }
 * }</pre>
 *
 * @param <D> the subject: the business's own aggregate, such as a trip
 */
public interface Saga<D> {

  /** The newest version of the definition. */
  SagaDefinition<D> definition();

  /** Older versions that sagas under way may still follow; none by default. */
  default List<SagaDefinition<D>> earlierVersions() {
    return List.of();
  }

  /**
   * The status of a saga.
   *
   * <pre>{@code
   *         a step failed, the deadline
   *         passed, or it is cancelled        every step undone
   * RUNNING ---------------------------> COMPENSATING -------------> COMPENSATED
   *  | ^  |                                |    ^                     ^   ^
   *  | |  |                   past a limit |    | answered            |   |
   *  | |  |   past a limit                 v    |                     |   |
   *  | |  +-----------------------------> STUCK +---------------------+   |
   *  | |                                  |  |      the last one answered |
   *  | +----------------------------------+  |                            |
   *  |            answered                   |                            |
   *  +---------> COMPLETED <-----------------+                            |
   *  |  every step         the last one answered                          |
   *  |  succeeded                                                         |
   *  +--------------------------------------------------------------------+
   *               a step was refused, and there is nothing to undo
   * }</pre>
   *
   * <p>Where a definition has a limit a saga may be QUEUED first, and RUNNING from its turn on;
   * cancelled before, it is COMPENSATED.
   *
   * <p>COMPLETED and COMPENSATED are ends: nothing leaves them, but for a COMPLETED saga that
   * another one has started before its pivot: it is RUNNING again, and compensated, when that one
   * is undone. Every other status has a timer, so that no saga is forgotten.
   */
  enum SagaStatus {
    /**
     * Started, and waiting for a place: as many sagas run as its definition's {@link Limit} allows.
     * Its deadline counts.
     */
    QUEUED,
    /** Going forward. */
    RUNNING,
    /** The steps that were done are being undone. */
    COMPENSATING,
    /** Every step succeeded. */
    COMPLETED,
    /** Everything that was or may have been done has been undone. */
    COMPENSATED,
    /**
     * A message that must be answered, a compensation or a step past the pivot, was sent more often
     * than {@link RetryPolicy#stuckAfter()}. The saga still sends it, at longer intervals; an
     * operator should look at it.
     */
    STUCK;

    /** Whether the saga is over, one way or the other. */
    public boolean isEnd() {
      return switch (this) {
        case COMPLETED, COMPENSATED -> true;
        case QUEUED, RUNNING, COMPENSATING, STUCK -> false;
      };
    }
  }

  /**
   * The status of a step.
   *
   * <pre>
   *             sent              done               undo sent                undone
   *   PENDING ------> WAITING ---------> SUCCEEDED -----------> COMPENSATING -------> COMPENSATED
   *      |            |  |  ^                ^                  ^  |      ^
   *      |            |  |  +- sent again    |                  |  +------+ sent again
   *      |            |  |                   |                  |
   *      |            |  +--> GIVEN_UP ------+------------------+
   *      |            |                      |      undo sent
   *      |            +-----> REFUSED        |
   *      +-----------------------------------+
   *                run locally
   *
   *             pending
   *   WAITING ----------> AWAITING ---> SUCCEEDED, REFUSED or GIVEN_UP, as from WAITING
   *      ^                   |
   *      +-------------------+ asked again: its time is over, and it may not be given up on
   * </pre>
   *
   * <p>A choice, a local step, and a wait for an event that was there before, go to SUCCEEDED at
   * once; a wait of the saga itself is AWAITING until then. One for a saga that it has started goes
   * from AWAITING or SUCCEEDED to COMPENSATING, until that saga is compensated. What is on no way
   * that is taken goes from PENDING to SKIPPED.
   *
   * <p>Where it may time out, the participant is asked once more first, and the step stays AWAITING
   * until that answer is due.
   *
   * <p>A refused step has done nothing, so it is not compensated. One that timed out may have been
   * done, so it is. A step that has no compensation stays as it is while those around it are
   * undone.
   */
  enum StepStatus {
    /** Not reached yet. */
    PENDING,
    /**
     * Not taken, and not going to be: another branch is, or it was a fallback that is not needed.
     */
    SKIPPED,
    /** Sent, and no reply yet: it may or may not have taken effect. */
    WAITING,
    /**
     * The saga waits itself: for a moment, an event or an approval. Or the participant has started
     * it and waits for an external event: it is asked at growing distances its outcome, and not
     * timed out until the time of its {@link Step.Await} is over. Then its participant is asked
     * once more, and it times out when that does not tell its outcome.
     */
    AWAITING,
    SUCCEEDED,
    REFUSED,
    /** No answer with its outcome came in time: it may have taken effect. */
    GIVEN_UP,
    /** Its compensation was sent, and no reply yet. */
    COMPENSATING,
    COMPENSATED
  }

  /** What cancelling a saga comes to (rule 10). */
  enum CancelOutcome {
    /** Everything has been undone. */
    CANCELLED,
    /** It is being undone. */
    COMPENSATING,
    /** The pivot was passed, or the saga is complete: it stays done. */
    TOO_LATE
  }
}
