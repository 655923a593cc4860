package io.onceflow.quarkus.console;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;

/**
 * Requests as a browser sends them, without following where it is sent to.
 *
 * @param application its address
 */
record ConsoleRequests(URI application) {

  private static final HttpClient CLIENT = HttpClient.newHttpClient();

  HttpResponse<byte[]> get(String path, String... headers)
      throws IOException, InterruptedException {
    return send("GET", path, headers);
  }

  /** With an empty body, as a JSON document where that is wanted. */
  HttpResponse<byte[]> send(String method, String path, String... headers)
      throws IOException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(application.resolve(path)).method(method, BodyPublishers.noBody());
    return CLIENT.send(
        (headers.length == 0 ? request : request.headers(headers)).build(),
        BodyHandlers.ofByteArray());
  }
}
