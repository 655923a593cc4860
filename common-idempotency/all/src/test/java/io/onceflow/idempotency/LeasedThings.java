package io.onceflow.idempotency;

import static io.onceflow.idempotency.Idempotent.Mode.LEASED;

import io.onceflow.idempotency.ThingsResource.NewThing;
import io.onceflow.idempotency.internal.store.IdempotencyUnusable;
import io.onceflow.idempotency.internal.store.LeaseLost;
import jakarta.transaction.UserTransaction;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.util.Map;

/** Leased methods, which write things in {@code complete} or before it, and end in every way. */
@Path("/leased")
@Consumes(MediaType.APPLICATION_JSON)
public class LeasedThings {

  /** Short, so that signs of life come often. */
  static final String LEASE = "PT1S";

  private final Things things;
  private final Runs runs;
  private final GuardedRequest guarded;
  private final UserTransaction transaction;

  LeasedThings(Things things, Runs runs, GuardedRequest guarded, UserTransaction transaction) {
    this.things = things;
    this.runs = runs;
    this.guarded = guarded;
    this.transaction = transaction;
  }

  /** Calls out, which may take long, and then completes. */
  @POST
  @Idempotent(mode = LEASED, lease = LEASE)
  public Response make(NewThing wanted) throws Exception {
    begin(wanted);
    boolean isTakenOver = guarded.lease().isTakenOver();
    return guarded.lease().complete(() -> made(wanted, isTakenOver));
  }

  @POST
  @Path("/in-steps")
  @Idempotent(mode = LEASED, lease = LEASE)
  public Response makeInSteps(NewThing wanted) throws Exception {
    guarded.lease().write(() -> things.make(wanted.name()));
    begin(wanted);
    guarded.lease().write(() -> things.make(wanted.name()));
    return guarded.lease().complete(() -> made(wanted, false));
  }

  /** Has nothing to write. */
  @POST
  @Path("/without-complete")
  @Idempotent(mode = LEASED, lease = LEASE)
  public Response makeNothing(NewThing wanted) {
    begin(wanted);
    return Response.ok(Map.of("name", wanted.name(), "run", runs.of(wanted.name()))).build();
  }

  @POST
  @Path("/failing")
  @Idempotent(mode = LEASED, lease = LEASE)
  public Response fail(NewThing wanted) throws Exception {
    begin(wanted);
    return guarded
        .lease()
        .complete(
            () -> {
              things.make(wanted.name());
              throw new IllegalStateException("the thing slipped");
            });
  }

  @POST
  @Path("/broken")
  @Idempotent(mode = LEASED, lease = LEASE)
  public Response breakDown(NewThing wanted) throws Exception {
    begin(wanted);
    return guarded.lease().complete(() -> madeButSay(503, wanted));
  }

  @POST
  @Path("/refused")
  @Idempotent(mode = LEASED, lease = LEASE)
  public Response refuse(NewThing wanted) throws Exception {
    begin(wanted);
    return guarded.lease().complete(() -> madeButSay(404, wanted));
  }

  /** Its last writes cannot commit, and it answers all the same. */
  @POST
  @Path("/despite-a-failed-commit")
  @Idempotent(mode = LEASED, lease = LEASE)
  public Response swallowAFailedCommit(NewThing wanted) throws Exception {
    begin(wanted);
    try {
      return guarded
          .lease()
          .complete(
              () -> {
                things.make(wanted.name(), "nobody");
                return Response.status(201).build();
              });
    } catch (IdempotencyUnusable e) {
      return Response.status(502).build();
    }
  }

  @POST
  @Path("/after-its-end")
  @Idempotent(mode = LEASED, lease = LEASE)
  public Response failAfterItsEnd(NewThing wanted) throws Exception {
    begin(wanted);
    guarded.lease().complete(() -> made(wanted, false));
    throw new IllegalStateException("something slipped, but late");
  }

  @POST
  @Path("/twice")
  @Idempotent(mode = LEASED, lease = LEASE)
  public Response completeTwice(NewThing wanted) throws Exception {
    begin(wanted);
    guarded.lease().complete(() -> made(wanted, false));
    return guarded.lease().complete(() -> made(wanted, true));
  }

  @POST
  @Path("/leaving-a-transaction-open")
  @Idempotent(mode = LEASED, lease = LEASE)
  public Response leaveATransactionOpen(NewThing wanted) throws Exception {
    begin(wanted);
    transaction.begin();
    things.make(wanted.name());
    return Response.status(201).build();
  }

  /** Does its best to get away with a lost lease. */
  @POST
  @Path("/despite-a-lost-lease")
  @Idempotent(mode = LEASED, lease = LEASE)
  public Response swallowALostLease(NewThing wanted) throws Exception {
    begin(wanted);
    try {
      return guarded.lease().complete(() -> made(wanted, false));
    } catch (LeaseLost e) {
      return Response.status(201).build();
    }
  }

  /** Goes on for as long as its lease is its own. */
  @POST
  @Path("/until-lost")
  @Idempotent(mode = LEASED, lease = LEASE)
  public Response goOnUntilLost(NewThing wanted) {
    runs.count(wanted.name());
    while (!guarded.lease().isLost()) {
      Thread.onSpinWait();
    }
    return Response.ok().build();
  }

  private void begin(NewThing wanted) {
    runs.count(wanted.name());
    runs.passGate(wanted.name());
  }

  private Response made(NewThing wanted, boolean isTakenOver) {
    return Response.status(201)
        .entity(Map.of("id", things.make(wanted.name()), "isTakenOver", isTakenOver))
        .build();
  }

  private Response madeButSay(int status, NewThing wanted) {
    things.make(wanted.name());
    return Response.status(status).entity(Map.of("run", runs.of(wanted.name()))).build();
  }
}
