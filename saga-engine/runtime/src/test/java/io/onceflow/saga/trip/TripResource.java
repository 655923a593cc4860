package io.onceflow.saga.trip;

import io.onceflow.idempotency.Idempotent;
import io.onceflow.saga.Sagas;
import jakarta.persistence.EntityManager;
import jakarta.transaction.Transactional;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.Response;
import org.jspecify.annotations.Nullable;

/** Where trips are booked. */
@Path("/trips")
public class TripResource {

  private final EntityManager entities;
  private final Sagas sagas;

  TripResource(EntityManager entities, Sagas sagas) {
    this.entities = entities;
    this.sagas = sagas;
  }

  /** As an adopter does it. */
  @POST
  @Idempotent
  @Transactional
  public Response book(@Nullable String flight) {
    Trip trip = new Trip();
    trip.flight = flight == null ? "" : flight;
    entities.persist(trip);
    sagas.start(BookTrip.class, trip);
    if (trip.flight.equals("FAILS")) {
      throw new IllegalStateException("after the saga was started");
    }
    return Response.status(Response.Status.CREATED).header("Location", "/trips/" + trip.id).build();
  }

  /** In a mode whose transaction is not the method's. */
  @POST
  @Path("/shared")
  @Idempotent(mode = Idempotent.Mode.SHARED)
  public Response bookShared() {
    sagas.start(BookTrip.class, new Trip());
    return Response.noContent().build();
  }
}
