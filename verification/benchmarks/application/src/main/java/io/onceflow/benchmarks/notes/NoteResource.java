package io.onceflow.benchmarks.notes;

import static io.onceflow.idempotency.Idempotent.InFlight.WAIT;
import static io.onceflow.idempotency.Idempotent.Mode.LEASED;

import io.onceflow.idempotency.GuardedRequest;
import io.onceflow.idempotency.Idempotent;
import jakarta.transaction.Transactional;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.Response;
import java.sql.SQLException;

/** The same handler three times. Repeats wait, so that a herd ends with one answer for all. */
@Path("/notes")
public class NoteResource {

  private final Notes notes;
  private final GuardedRequest guarded;

  NoteResource(Notes notes, GuardedRequest guarded) {
    this.notes = notes;
    this.guarded = guarded;
  }

  /** In one transaction with the claim and the answer. */
  @POST
  @Path("/guarded")
  @Idempotent(operation = "take-note", inFlight = WAIT)
  public Response guarded(NewNote wanted) throws SQLException {
    return notes.take(wanted);
  }

  /** Under a lease: the claim is committed first. */
  @POST
  @Path("/leased")
  @Idempotent(operation = "take-note-leased", mode = LEASED, inFlight = WAIT)
  public Response leased(NewNote wanted) throws Exception {
    return guarded.lease().complete(() -> notes.take(wanted));
  }

  /** What the guard costs is the difference to this. */
  @POST
  @Path("/unguarded")
  @Transactional
  public Response unguarded(NewNote wanted) throws SQLException {
    return notes.take(wanted);
  }
}
