package ${package};

import io.onceflow.core.ScopeResolver;
import io.onceflow.idempotency.Idempotent;
import io.onceflow.saga.Sagas;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.transaction.Transactional;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.Response;
import java.net.URI;
import java.util.UUID;

@Path("/trips")
public class TripResource {

  private final Sagas sagas;

  TripResource(Sagas sagas) {
    this.sagas = sagas;
  }

  public record TripRequest(String flight, long price) {}

  @POST
  @Idempotent
  @Transactional
  public Response book(TripRequest request) {
    Trip trip = new Trip();
    trip.id = UUID.randomUUID();
    trip.flight = request.flight();
    trip.price = request.price();
    trip.status = "PENDING";
    trip.persist();
    sagas.start(BookTrip.class, trip);
    return Response.created(URI.create("/trips/" + trip.id)).entity(trip).build();
  }

  @GET
  @Path("/{id}")
  public Trip read(UUID id) {
    return Trip.findById(id);
  }

  /** Without users, all callers share one scope of keys. */
  @ApplicationScoped
  static class SharedScope implements ScopeResolver {
    @Override
    public String scope() {
      return "shared";
    }
  }
}
