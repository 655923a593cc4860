package io.onceflow.idempotency;

import static io.onceflow.idempotency.Idempotent.InFlight.WAIT;
import static io.onceflow.idempotency.Idempotent.Mode.LEASED;

import io.onceflow.idempotency.ThingsResource.NewThing;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.util.Map;

/** Methods whose repeats wait. */
@Path("/waited")
@Consumes(MediaType.APPLICATION_JSON)
public class WaitedThings {

  private final Things things;
  private final Runs runs;
  private final GuardedRequest guarded;

  WaitedThings(Things things, Runs runs, GuardedRequest guarded) {
    this.things = things;
    this.runs = runs;
    this.guarded = guarded;
  }

  @POST
  @Idempotent(inFlight = WAIT)
  public Response make(NewThing wanted) {
    runs.count(wanted.name());
    runs.passGate(wanted.name());
    return made(wanted);
  }

  @POST
  @Path("/leased")
  @Idempotent(inFlight = WAIT, mode = LEASED)
  public Response makeLeased(NewThing wanted) throws Exception {
    runs.count(wanted.name());
    runs.passGate(wanted.name());
    return guarded.lease().complete(() -> made(wanted));
  }

  @POST
  @Path("/failing-once")
  @Idempotent(inFlight = WAIT)
  public Response failOnce(NewThing wanted) {
    runs.count(wanted.name());
    Response made = made(wanted);
    if (runs.of(wanted.name()) == 1) {
      runs.passGate(wanted.name());
      throw new IllegalStateException("the first always slips");
    }
    return made;
  }

  private Response made(NewThing wanted) {
    return Response.status(201).entity(Map.of("id", things.make(wanted.name()))).build();
  }
}
