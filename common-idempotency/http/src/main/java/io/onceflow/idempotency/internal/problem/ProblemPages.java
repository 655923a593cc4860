package io.onceflow.idempotency.internal.problem;

import jakarta.annotation.security.PermitAll;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.NotFoundException;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Request;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.Variant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.eclipse.microprofile.openapi.annotations.Operation;

/**
 * The page behind a problem's type: HTML for a browser, plain text for a client that states no
 * preference. It needs no authentication, since it holds no data of callers.
 */
@Path(ProblemPages.PATH)
public class ProblemPages {

  static final String PATH = "/problems";

  private static final MediaType TEXT = MediaType.TEXT_PLAIN_TYPE.withCharset("UTF-8");
  private static final MediaType HTML = MediaType.TEXT_HTML_TYPE.withCharset("UTF-8");
  private static final List<Variant> FORMS =
      Variant.mediaTypes(MediaType.TEXT_PLAIN_TYPE, MediaType.TEXT_HTML_TYPE).build();

  /** All types. */
  @GET
  @PermitAll
  @Operation(hidden = true)
  public Response index(@Context Request request) {
    return answer(ProblemPage.index(), request);
  }

  /** Explains one type. */
  @GET
  @Path("/{type}")
  @PermitAll
  @Operation(hidden = true)
  public Response explain(@PathParam("type") String slug, @Context Request request) {
    return ProblemType.of(slug)
        .map(ProblemPage::of)
        .or(() -> plain(slug))
        .map(page -> answer(page, request))
        .orElseThrow(() -> new NotFoundException("There is no problem type \"" + slug + "\""));
  }

  private static Response answer(ProblemPage page, Request request) {
    Variant wanted = request.selectVariant(FORMS);
    boolean isHtml = wanted != null && wanted.getMediaType().isCompatible(HTML);
    return Response.ok(isHtml ? page.html() : page.text(), isHtml ? HTML : TEXT)
        .header(HttpHeaders.VARY, HttpHeaders.ACCEPT)
        .header("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'")
        .build();
  }

  /** The page of a status without a type, such as {@code not-found}. */
  private static Optional<ProblemPage> plain(String slug) {
    return Arrays.stream(Response.Status.values())
        .filter(status -> slug.equals(ProblemAddress.slug(status.getReasonPhrase())))
        .findAny()
        .map(status -> ProblemPage.of(status.getReasonPhrase(), status.getStatusCode()));
  }
}
