package io.onceflow.idempotency;

import jakarta.annotation.security.PermitAll;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.NotFoundException;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;

/** What a problem's type says when somebody follows it. */
@Path("/problems/{type}")
public class ProblemPages {

  /** Explains one type, in plain text. */
  @GET
  @PermitAll
  @Produces(MediaType.TEXT_PLAIN)
  public String explain(@PathParam("type") String slug) {
    return ProblemType.of(slug)
        .map(type -> "%s (%d)%n%n%s%n".formatted(type.title(), type.status(), type.explanation()))
        .orElseThrow(() -> new NotFoundException("There is no problem type \"" + slug + "\""));
  }
}
