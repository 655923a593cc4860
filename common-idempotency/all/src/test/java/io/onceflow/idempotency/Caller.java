package io.onceflow.idempotency;

import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/** Somebody who calls over HTTP and looks at every byte of the answer. */
public record Caller(URI server, String user, UnaryOperator<String> paths) {

  private static final HttpClient HTTP =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  public Caller(URI server, String user) {
    this(server, user, path -> path);
  }

  /** An answer without the headers that belong to the connection. */
  public record Answer(int status, Map<String, List<String>> headers, byte[] bytes) {

    private static final List<String> OF_THE_CONNECTION = List.of("content-length", "connection");

    static Answer of(HttpResponse<byte[]> response) {
      Map<String, List<String>> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
      headers.putAll(response.headers().map());
      OF_THE_CONNECTION.forEach(headers::remove);
      return new Answer(response.statusCode(), headers, response.body());
    }

    public String header(String name) {
      return String.join(" | ", headers.getOrDefault(name, List.of()));
    }

    public boolean isReplay() {
      return headers.containsKey("Idempotent-Replayed");
    }

    public String text() {
      return new String(bytes, StandardCharsets.UTF_8);
    }
  }

  public Answer post(String path, String key, String json) {
    return send(request(path, json).header("Idempotency-Key", key));
  }

  /** The same with a preference (RFC 7240), such as {@code wait=5}. */
  public Answer post(String path, String key, String json, String preference) {
    return send(request(path, json).header("Idempotency-Key", key).header("Prefer", preference));
  }

  /** A POST with a token, which is not checked here. */
  public Answer postWithToken(String path, String key, String json, String token) {
    return send(
        request(path, json)
            .header("Idempotency-Key", key)
            .header("Authorization", "Bearer " + token));
  }

  /** A request whose key is up to the caller. */
  public HttpRequest.Builder request(String path, String json) {
    return HttpRequest.newBuilder(server.resolve(paths.apply(path)))
        .header("Content-Type", "application/json")
        .header(HeaderScope.HEADER, user)
        .POST(BodyPublishers.ofString(json));
  }

  /** Sends a key that no proper client would, and returns the status of the answer. */
  int statusFor(String path, String anyKey, String json) throws IOException {
    String request =
        """
        POST %s HTTP/1.1
        Host: %s
        Connection: close
        Content-Type: application/json
        Content-Length: %d
        %s: %s
        Idempotency-Key: %s

        """
            .replace("\n", "\r\n")
            .formatted(
                paths.apply(path),
                server.getAuthority(),
                json.length(),
                HeaderScope.HEADER,
                user,
                anyKey);
    try (Socket socket = new Socket(server.getHost(), server.getPort())) {
      socket.getOutputStream().write((request + json).getBytes(StandardCharsets.ISO_8859_1));
      String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      return Integer.parseInt(answer.split(" ")[1]);
    }
  }

  public Answer send(HttpRequest.Builder request) {
    try {
      return Answer.of(HTTP.send(request.build(), BodyHandlers.ofByteArray()));
    } catch (IOException e) {
      throw new IllegalStateException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }
}
