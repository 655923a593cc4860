package io.onceflow.idempotency;

import static io.onceflow.idempotency.Idempotent.Mode.LEASED;
import static io.onceflow.idempotency.Idempotent.Refusals.KEPT;

import io.onceflow.idempotency.ThingsResource.NewThing;
import io.onceflow.idempotency.internal.store.IdempotencyUnusable;
import jakarta.validation.constraints.Null;
import jakarta.ws.rs.BadRequestException;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.WebApplicationException;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.ext.ExceptionMapper;
import jakarta.ws.rs.ext.Provider;
import java.util.Map;
import org.jboss.resteasy.reactive.ResteasyReactiveClientProblem;
import org.jboss.resteasy.reactive.server.ServerExceptionMapper;
import org.jspecify.annotations.Nullable;

/** Methods whose refusals are kept, and which refuse, or fail, in every way there is. */
@Path("/refusing")
@Consumes(MediaType.APPLICATION_JSON)
public class RefusingThings {

  private final Things things;
  private final Runs runs;
  private final GuardedRequest guarded;

  RefusingThings(Things things, Runs runs, GuardedRequest guarded) {
    this.things = things;
    this.runs = runs;
    this.guarded = guarded;
  }

  /** Mapped for all resources. */
  static final class NoSuchThing extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  /** Mapped for this resource only. */
  static final class SoldOut extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  /** What a REST client throws when another service refuses. */
  static final class RefusedByAnother extends WebApplicationException
      implements ResteasyReactiveClientProblem {
    private static final long serialVersionUID = 1L;

    RefusedByAnother() {
      super(404);
    }
  }

  /** The application's mapper. */
  @Provider
  public static class NoSuchThingMapper implements ExceptionMapper<NoSuchThing> {
    @Override
    public Response toResponse(NoSuchThing thrown) {
      return Response.status(410).entity(Map.of("gone", true)).build();
    }
  }

  @ServerExceptionMapper
  Response soldOut(SoldOut thrown) {
    return Response.status(409).header("X-Sold", "out").entity(Map.of("left", 0)).build();
  }

  /** Not wise, but possible. */
  @ServerExceptionMapper
  Response unusable(IdempotencyUnusable thrown) {
    return Response.status(423).build();
  }

  @POST
  @Path("/{how}")
  @Idempotent(refusals = KEPT)
  public Response refuse(
      @PathParam("how") String how,
      @QueryParam("surplus") @Null @Nullable String surplus,
      NewThing wanted) {
    write(wanted);
    return refuse(how);
  }

  @POST
  @Path("/leased/{how}")
  @Idempotent(refusals = KEPT, mode = LEASED)
  public Response refuseLeased(
      @PathParam("how") String how,
      @QueryParam("surplus") @Null @Nullable String surplus,
      NewThing wanted)
      throws Exception {
    return guarded
        .lease()
        .complete(
            () -> {
              write(wanted);
              return refuse(how);
            });
  }

  private void write(NewThing wanted) {
    runs.count(wanted.name());
    things.make(wanted.name());
    runs.passGate(wanted.name());
  }

  private static Response refuse(String how) {
    return switch (how) {
      case "returned" -> Response.status(404).entity(Map.of("found", false)).build();
      case "thrown" -> throw new BadRequestException("no such thing");
      case "thrown-with-an-answer" ->
          throw new WebApplicationException(Response.status(409).entity("taken").build());
      case "mapped" -> throw new NoSuchThing();
      case "mapped-here" -> throw new SoldOut();
      case "by-another" -> throw new RefusedByAnother();
      case "failing" -> throw new IllegalStateException("the thing slipped");
      case "unavailable" -> throw new WebApplicationException(503);
      case "unusable" -> throw new IdempotencyUnusable(new IllegalStateException("away"));
      default -> Response.ok().build();
    };
  }
}
