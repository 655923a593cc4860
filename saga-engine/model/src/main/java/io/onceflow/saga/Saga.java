package io.onceflow.saga;

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
 *             .compensateWith("cancel-flight", CancelFlight.class, Trip::cancelFlight)
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
}
