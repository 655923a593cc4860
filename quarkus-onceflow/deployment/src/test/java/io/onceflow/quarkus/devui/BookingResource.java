package io.onceflow.quarkus.devui;

import io.onceflow.core.IdempotencyKey;
import io.onceflow.saga.Sagas;
import io.onceflow.saga.Sagas.SagaStart;
import jakarta.transaction.Transactional;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import java.util.UUID;

/** Begins sagas. */
@Path("/bookings/{flight}")
public class BookingResource {

  private final Sagas sagas;

  BookingResource(Sagas sagas) {
    this.sagas = sagas;
  }

  /** Returns the saga's id. */
  @POST
  @Transactional
  public String book(@PathParam("flight") String flight) {
    Booking booking = new Booking();
    booking.id = UUID.randomUUID();
    booking.flight = flight;
    IdempotencyKey key = new IdempotencyKey(booking.id.toString());
    return sagas.start(BookSeat.class, new SagaStart<>(booking, "ada", key, null)).toString();
  }
}
