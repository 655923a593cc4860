package io.onceflow.quarkus.web;

import io.onceflow.idempotency.Idempotent;
import jakarta.annotation.security.PermitAll;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.Response;

/** A guarded operation of an application that says nothing of its callers. */
@Path("/guarded-notes")
@PermitAll
public class GuardedNotes {

  @POST
  @Idempotent(operation = "write-note")
  public Response write() {
    return Response.ok("written").build();
  }
}
