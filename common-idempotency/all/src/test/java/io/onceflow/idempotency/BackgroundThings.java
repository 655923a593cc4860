package io.onceflow.idempotency;

import static io.onceflow.idempotency.Idempotent.InFlight.WAIT;
import static io.onceflow.idempotency.Idempotent.Mode.LEASED;

import io.onceflow.idempotency.ThingsResource.NewThing;
import jakarta.transaction.UserTransaction;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.util.Map;

/** Methods that answer 202 and go on, each to another end. */
@Path("/background")
@Consumes(MediaType.APPLICATION_JSON)
public class BackgroundThings {

  /** The operation of which {@link Verdicts} knows what became of it. */
  public static final String RESOLVED = "make-with-a-resolver";

  private final Things things;
  private final Runs runs;
  private final GuardedRequest guarded;
  private final UserTransaction transaction;

  BackgroundThings(Things things, Runs runs, GuardedRequest guarded, UserTransaction transaction) {
    this.things = things;
    this.runs = runs;
    this.guarded = guarded;
    this.transaction = transaction;
  }

  @POST
  @Idempotent(mode = LEASED, lease = LeasedThings.LEASE)
  public Response make(NewThing wanted) {
    return guarded.lease().goOnInBackground(lease -> make(wanted, lease));
  }

  @POST
  @Path("/waited")
  @Idempotent(mode = LEASED, inFlight = WAIT)
  public Response makeWaitedFor(NewThing wanted) {
    return guarded.lease().goOnInBackground(lease -> make(wanted, lease));
  }

  @POST
  @Path("/refused")
  @Idempotent(mode = LEASED)
  public Response refuse(NewThing wanted) {
    return guarded.lease().goOnInBackground(lease -> complete(wanted, lease, 404));
  }

  @POST
  @Path("/broken")
  @Idempotent(mode = LEASED)
  public Response breakDown(NewThing wanted) {
    return guarded.lease().goOnInBackground(lease -> complete(wanted, lease, 503));
  }

  @POST
  @Path("/failing")
  @Idempotent(mode = LEASED)
  public Response fail(NewThing wanted) {
    return guarded.lease().goOnInBackground(lease -> slip(wanted));
  }

  @POST
  @Path("/resolved")
  @Idempotent(mode = LEASED, operation = RESOLVED)
  public Response failWithAResolver(NewThing wanted, @QueryParam("stored") boolean isStored)
      throws Exception {
    if (isStored && !guarded.lease().isTakenOver()) {
      guarded.lease().write(() -> things.make(wanted.name()));
    }
    return guarded.lease().goOnInBackground(lease -> slip(wanted));
  }

  /** Not by an exception, but by what a missing class or an assertion throws. */
  @POST
  @Path("/failing-badly")
  @Idempotent(mode = LEASED)
  public Response failBadly(NewThing wanted) {
    return guarded
        .lease()
        .goOnInBackground(
            lease -> {
              runs.count(wanted.name());
              throw new AssertionError("the thing broke");
            });
  }

  @POST
  @Path("/leaving-a-transaction-open")
  @Idempotent(mode = LEASED)
  public Response leaveATransactionOpen(NewThing wanted) {
    return guarded
        .lease()
        .goOnInBackground(
            lease -> {
              transaction.begin();
              things.make(wanted.name());
              slip(wanted);
            });
  }

  @POST
  @Path("/endless")
  @Idempotent(mode = LEASED)
  public Response neverComplete(NewThing wanted) {
    return guarded.lease().goOnInBackground(lease -> runs.count(wanted.name()));
  }

  @POST
  @Path("/after-its-end")
  @Idempotent(mode = LEASED)
  public Response failAfterItsEnd(NewThing wanted) {
    return guarded
        .lease()
        .goOnInBackground(
            lease -> {
              make(wanted, lease);
              throw new IllegalStateException("something slipped, but late");
            });
  }

  /** Thinks better of it. */
  @POST
  @Path("/answering-otherwise")
  @Idempotent(mode = LEASED)
  public Response answerOtherwise(NewThing wanted) {
    guarded.lease().goOnInBackground(lease -> make(wanted, lease));
    return Response.status(400).build();
  }

  void make(NewThing wanted, Lease lease) throws Exception {
    complete(wanted, lease, 201);
  }

  private void complete(NewThing wanted, Lease lease, int status) throws Exception {
    runs.count(wanted.name());
    runs.passGate(wanted.name());
    lease.complete(
        () ->
            Response.status(status)
                .header("Location", "/things/1")
                .entity(Map.of("id", things.make(wanted.name())))
                .build());
  }

  private void slip(NewThing wanted) {
    runs.count(wanted.name());
    runs.passGate(wanted.name());
    throw new IllegalStateException("the thing slipped");
  }
}
