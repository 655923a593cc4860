package io.onceflow.quarkus.parked;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import org.jspecify.annotations.Nullable;

/**
 * Requests to the application under test.
 *
 * @param application its address
 */
public record Requests(URI application) {

  private static final HttpClient CLIENT = HttpClient.newHttpClient();

  public HttpResponse<String> get(String path, @Nullable String role)
      throws IOException, InterruptedException {
    return send(to(path, role).GET());
  }

  public HttpResponse<String> delete(String path, @Nullable String role)
      throws IOException, InterruptedException {
    return send(to(path, role).DELETE());
  }

  /** With a JSON body. */
  public HttpResponse<String> send(String method, String path, @Nullable String role, String json)
      throws IOException, InterruptedException {
    return send(
        to(path, role)
            .header("Content-Type", "application/json")
            .method(method, BodyPublishers.ofString(json)));
  }

  private HttpRequest.Builder to(String path, @Nullable String role) {
    HttpRequest.Builder request = HttpRequest.newBuilder(application.resolve(path));
    return role == null ? request : request.header("X-Role", role);
  }

  private static HttpResponse<String> send(HttpRequest.Builder request)
      throws IOException, InterruptedException {
    return CLIENT.send(request.build(), BodyHandlers.ofString());
  }
}
