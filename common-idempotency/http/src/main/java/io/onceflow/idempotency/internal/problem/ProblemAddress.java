package io.onceflow.idempotency.internal.problem;

import jakarta.ws.rs.core.Response;
import java.net.URI;
import java.util.Locale;

/**
 * The type of a problem (RFC 9457), which is the address of the page that explains it. It starts at
 * the server's root, so that a client finds the page also of an application below a path.
 */
public final class ProblemAddress {

  /** All pages. */
  static final String HOME = RootPath.resolve(ProblemPages.PATH);

  private ProblemAddress() {}

  /**
   * The address of one page.
   *
   * @param slug the last segment, such as {@code too-late}
   */
  public static URI of(String slug) {
    return URI.create(HOME + "/" + slug);
  }

  /** Of a problem that has no type of its own: that of its status. */
  public static URI of(int status) {
    return of(slug(reason(status)));
  }

  /** The reason phrase of a status, such as {@code Not Found}. */
  public static String reason(int status) {
    Response.Status known = Response.Status.fromStatusCode(status);
    return known == null ? "Status " + status : known.getReasonPhrase();
  }

  /** The value of a {@code Link} to one page. */
  public static String link(String slug) {
    return "<" + of(slug) + ">; rel=\"describedby\"";
  }

  static String slug(String reasonPhrase) {
    return reasonPhrase.toLowerCase(Locale.ROOT).replace(' ', '-');
  }
}
