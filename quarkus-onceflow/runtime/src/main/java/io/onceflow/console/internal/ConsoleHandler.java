package io.onceflow.console.internal;

import io.vertx.core.Handler;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.RoutingContext;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Answers with the console's files. They are the same for everybody and hold nothing of anybody, so
 * nobody needs to be signed in for them.
 */
final class ConsoleHandler implements Handler<RoutingContext> {

  /**
   * Nothing comes from elsewhere, nothing is written into the page, and no other page shows it in a
   * frame.
   */
  static final Map<String, String> SECURITY =
      Map.of(
          "Content-Security-Policy",
          "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self';"
              + " img-src 'self' data:; font-src 'self'; base-uri 'none'; form-action 'self';"
              + " frame-ancestors 'none'",
          "X-Content-Type-Options",
          "nosniff",
          "Referrer-Policy",
          "no-referrer",
          "Cross-Origin-Opener-Policy",
          "same-origin",
          "Cross-Origin-Resource-Policy",
          "same-origin");

  /** Resources below the console's path. */
  private static final Set<String> RESOURCES =
      Set.of("session", "sign-in/oidc", "sign-out", "sign-in/denied");

  private static final String A_YEAR = "public, max-age=31536000, immutable";
  private static final int NOT_MODIFIED = 304;
  private static final int FOUND = 302;

  private final ConsoleFiles files;
  private final String console;

  /**
   * An instance.
   *
   * @param console the console's address, with a slash at its end
   */
  ConsoleHandler(ConsoleFiles files, String console) {
    this.files = files;
    this.console = console;
  }

  /** What is no file of ours goes on to the application, which answers 404 as it does elsewhere. */
  @Override
  public void handle(RoutingContext routing) {
    String path = routing.normalizedPath();
    HttpMethod method = routing.request().method();
    boolean reads = method.equals(HttpMethod.GET) || method.equals(HttpMethod.HEAD);
    if (reads && path.startsWith(console)) {
      answer(routing, path.substring(console.length()));
    } else if (reads && console.equals(path + "/")) {
      redirect(routing);
    } else {
      routing.next();
    }
  }

  /** From {@code /console}; its query goes along. */
  private void redirect(RoutingContext routing) {
    String query = routing.request().query();
    routing
        .response()
        .setStatusCode(FOUND)
        .putHeader(HttpHeaders.LOCATION, query == null ? console : console + "?" + query)
        .end();
  }

  private void answer(RoutingContext routing, String path) {
    Optional<ConsoleFile> file = RESOURCES.contains(path) ? Optional.empty() : files.at(path);
    if (file.isEmpty()) {
      routing.next();
      return;
    }
    boolean zipped = file.get().compressed() != null && accepts(routing, "gzip");
    String tag = zipped ? zippedTag(file.get()) : file.get().tag();
    HttpServerResponse response = routing.response();
    SECURITY.forEach(response::putHeader);
    response
        .putHeader(HttpHeaders.CONTENT_TYPE, file.get().type())
        .putHeader(HttpHeaders.CACHE_CONTROL, ConsoleFiles.isImmutable(path) ? A_YEAR : "no-cache")
        .putHeader(HttpHeaders.VARY, HttpHeaders.ACCEPT_ENCODING)
        .putHeader(HttpHeaders.ETAG, tag);
    if (tag.equals(routing.request().getHeader(HttpHeaders.IF_NONE_MATCH))) {
      response.setStatusCode(NOT_MODIFIED).end();
    } else {
      send(routing, file.get(), zipped);
    }
  }

  /** Other bytes have another strong tag (RFC 9110, 8.8.3.3): a cache may put ranges together. */
  private static String zippedTag(ConsoleFile file) {
    return file.tag().replaceFirst("\"$", "-gzip\"");
  }

  private static void send(RoutingContext routing, ConsoleFile file, boolean zipped) {
    HttpServerResponse response = routing.response();
    if (zipped) {
      response.putHeader(HttpHeaders.CONTENT_ENCODING, "gzip");
    }
    var body = zipped ? file.compressed() : file.plain();
    if (routing.request().method().equals(HttpMethod.HEAD)) {
      response.putHeader(HttpHeaders.CONTENT_LENGTH, Integer.toString(body.length())).end();
    } else {
      response.end(body);
    }
  }

  private static boolean accepts(RoutingContext routing, String coding) {
    String accepted = routing.request().getHeader(HttpHeaders.ACCEPT_ENCODING);
    return accepted != null
        && Arrays.stream(accepted.split(","))
            .map(it -> it.replace(" ", ""))
            .anyMatch(it -> it.equals(coding) || it.startsWith(coding + ";q=") && !isZero(it));
  }

  private static boolean isZero(String weighted) {
    return weighted.matches(".*;q=0(\\.0*)?");
  }
}
