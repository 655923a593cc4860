package io.onceflow.idempotency.internal.problem;

import jakarta.annotation.security.PermitAll;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.NotFoundException;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Collectors;
import org.eclipse.microprofile.openapi.annotations.Operation;

/**
 * The page behind a problem's type, as plain text whatever the client accepts. It needs no
 * authentication, since it holds no data of callers.
 */
@Path(ProblemPages.PATH)
public class ProblemPages {

  static final String PATH = "/problems";

  private static final MediaType TEXT = MediaType.TEXT_PLAIN_TYPE.withCharset("UTF-8");

  /** All types. */
  @GET
  @PermitAll
  @Operation(hidden = true)
  public Response index() {
    return text(
        Arrays.stream(ProblemType.values())
            .map(type -> "%s (%s)\n%s\n".formatted(type.title(), type.status(), type.path()))
            .collect(Collectors.joining("\n", "Problems of the Idempotency-Key guard\n\n", "")));
  }

  /** Explains one type. */
  @GET
  @Path("/{type}")
  @PermitAll
  @Operation(hidden = true)
  public Response explain(@PathParam("type") String slug) {
    return ProblemType.of(slug)
        .map(ProblemType::page)
        .or(() -> plain(slug))
        .map(ProblemPages::text)
        .orElseThrow(() -> new NotFoundException("There is no problem type \"" + slug + "\""));
  }

  private static Response text(String page) {
    return Response.ok(page, TEXT).build();
  }

  /** The page of a status without a type, such as {@code not-found}. */
  private static Optional<String> plain(String slug) {
    return Arrays.stream(Response.Status.values())
        .filter(status -> slug.equals(ProblemAddress.slug(status.getReasonPhrase())))
        .findAny()
        .map(status -> "%s (%s)\n".formatted(status.getReasonPhrase(), status.getStatusCode()));
  }
}
