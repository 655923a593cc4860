package io.onceflow.console.internal;

import io.vertx.core.Handler;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.RoutingContext;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Answers with the console's files. They are public: they hold no data. A file whose name has a
 * hash is cached for good, the page is loaded each time.
 */
final class ConsoleHandler implements Handler<RoutingContext> {

  static final String INDEX = "index.html";

  /**
   * Nothing comes from elsewhere, nothing is written into the page, and no other page shows it in a
   * frame.
   */
  private static final Map<String, String> SECURITY =
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

  /** Of a type that is not listed it is bytes, which no browser runs. */
  private static final Map<String, String> TYPES =
      Map.of(
          "html", "text/html; charset=utf-8",
          "js", "text/javascript; charset=utf-8",
          "css", "text/css; charset=utf-8",
          "txt", "text/plain; charset=utf-8",
          "svg", "image/svg+xml");

  /** Resources below the console's path. */
  private static final Set<String> RESOURCES =
      Set.of("session", "sign-in/oidc", "sign-out", "sign-in/denied");

  private static final String HASHED = "assets/";
  private static final String A_YEAR = "public, max-age=31536000, immutable";

  private final Map<String, Buffer> files;
  private final String console;

  /**
   * An instance.
   *
   * @param files by their path, each also as compressed by gzip under its path and {@code .gz}
   * @param console the console's address, with a slash at its end
   */
  ConsoleHandler(Map<String, Buffer> files, String console) {
    this.files = files;
    this.console = console;
  }

  /** What is no file of the console continues to the application, which answers 404. */
  @Override
  public void handle(RoutingContext routing) {
    String path = routing.normalizedPath();
    HttpMethod method = routing.request().method();
    boolean reads = method.equals(HttpMethod.GET) || method.equals(HttpMethod.HEAD);
    if (reads && path.startsWith(console)) {
      answer(routing, path.substring(console.length()));
    } else if (reads && console.equals(path + "/")) {
      String query = routing.request().query();
      routing.redirect(query == null ? console : console + "?" + query);
    } else {
      routing.next();
    }
  }

  private void answer(RoutingContext routing, String path) {
    String name = isView(path) ? INDEX : path;
    @Nullable Buffer plain = RESOURCES.contains(path) ? null : files.get(name);
    if (plain == null) {
      routing.next();
      return;
    }
    @Nullable Buffer zipped = acceptsGzip(routing) ? files.get(name + ".gz") : null;
    Buffer body = zipped == null ? plain : zipped;
    HttpServerResponse response = routing.response();
    SECURITY.forEach(response::putHeader);
    response
        .putHeader(HttpHeaders.CONTENT_TYPE, typeOf(name))
        .putHeader(HttpHeaders.CACHE_CONTROL, name.startsWith(HASHED) ? A_YEAR : "no-cache")
        .putHeader(HttpHeaders.VARY, HttpHeaders.ACCEPT_ENCODING)
        .putHeader(HttpHeaders.CONTENT_LENGTH, Integer.toString(body.length()));
    if (zipped != null) {
      response.putHeader(HttpHeaders.CONTENT_ENCODING, "gzip");
    }
    if (routing.request().method().equals(HttpMethod.HEAD)) {
      response.end();
    } else {
      response.end(body);
    }
  }

  /** The first part of a view's address is a word; what comes after it may have dots. */
  private static boolean isView(String path) {
    return !path.startsWith(HASHED) && !path.split("/", 2)[0].contains(".");
  }

  private static String typeOf(String name) {
    return TYPES.getOrDefault(
        name.substring(name.lastIndexOf('.') + 1), "application/octet-stream");
  }

  private static boolean acceptsGzip(RoutingContext routing) {
    return routing.parsedHeaders().acceptEncoding().stream()
        .anyMatch(coding -> coding.value().equals("gzip") && coding.weight() > 0);
  }
}
