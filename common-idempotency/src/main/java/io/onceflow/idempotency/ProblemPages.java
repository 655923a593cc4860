package io.onceflow.idempotency;

import jakarta.annotation.security.PermitAll;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.NotFoundException;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

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
        .or(() -> plain(slug))
        .orElseThrow(() -> new NotFoundException("There is no problem type \"" + slug + "\""));
  }

  /** A problem that says no more than its status, such as {@code not-found}. */
  private static Optional<String> plain(String slug) {
    return Arrays.stream(Response.Status.values())
        .filter(status -> slug.equals(slug(status.getReasonPhrase())))
        .findAny()
        .map(status -> "%s (%d)%n".formatted(status.getReasonPhrase(), status.getStatusCode()));
  }

  private static String slug(String reasonPhrase) {
    return reasonPhrase.toLowerCase(Locale.ROOT).replace(' ', '-');
  }
}
