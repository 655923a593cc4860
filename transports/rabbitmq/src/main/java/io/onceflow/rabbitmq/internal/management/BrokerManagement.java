package io.onceflow.rabbitmq.internal.management;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/** The broker's management API, read as the service's user, who needs the tag for it. */
public final class BrokerManagement implements AutoCloseable {

  private static final Duration CONNECT_WITHIN = Duration.ofSeconds(2);
  private static final Duration ANSWER_WITHIN = Duration.ofSeconds(5);
  private static final ObjectMapper JSON = new ObjectMapper();

  private final String queues;
  private final String authorization;
  private final Tls tls;
  private @Nullable HttpClient client;

  /** Which authorities are trusted, as the connections of AMQP do. */
  @FunctionalInterface
  public interface Tls {

    /**
     * Reads the files; null for the authorities of the Java runtime.
     *
     * @throws IOException that says which file is wrong
     */
    @Nullable SSLContext context() throws IOException;
  }

  public BrokerManagement(URI address, String user, String password, String virtualHost, Tls tls) {
    this.tls = tls;
    String base = address.toString().replaceAll("/+$", "");
    this.queues = "%s/api/queues/%s/".formatted(base, encoded(virtualHost));
    this.authorization =
        "Basic " + Base64.getEncoder().encodeToString((user + ":" + password).getBytes(UTF_8));
  }

  /**
   * What is wrong with a queue, a clause each.
   *
   * @param needed its bindings, and those by which its dead letters arrive
   * @throws IOException when the API does not tell
   */
  public List<String> review(String queue, List<QueueBinding> needed)
      throws IOException, InterruptedException {
    JsonNode state = read(queue);
    if (state == null) {
      return List.of("queue %s is missing".formatted(queue));
    }
    Map<String, JsonNode> bindings = new HashMap<>();
    for (QueueBinding one : needed) {
      if (!bindings.containsKey(one.queue())) {
        JsonNode found = read(one.queue() + "/bindings");
        bindings.put(one.queue(), found == null ? MissingNode.getInstance() : found);
      }
    }
    return QueueReview.of(state, needed, bindings);
  }

  /** Null for what is not there. */
  private @Nullable JsonNode read(String path) throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(queues + path))
            .timeout(ANSWER_WITHIN)
            .header("Authorization", authorization)
            .build();
    HttpResponse<byte[]> answer = send(request);
    return switch (answer.statusCode()) {
      case 200 -> JSON.readTree(answer.body());
      case 404 -> null;
      case 401 ->
          throw new IOException(
              "the broker's management API refuses the service's user, who needs the tag management");
      default ->
          throw new IOException(
              "the broker's management API answered %s for %s"
                  .formatted(answer.statusCode(), request.uri()));
    };
  }

  /** After a failure the files are read again: the authority's certificate may be a new one. */
  private HttpResponse<byte[]> send(HttpRequest request) throws IOException, InterruptedException {
    boolean isAnswered = false;
    try {
      HttpResponse<byte[]> answer = client().send(request, BodyHandlers.ofByteArray());
      isAnswered = true;
      return answer;
    } finally {
      if (!isAnswered) {
        close();
      }
    }
  }

  private synchronized HttpClient client() throws IOException {
    if (client == null) {
      HttpClient.Builder builder = HttpClient.newBuilder().connectTimeout(CONNECT_WITHIN);
      SSLContext context = tls.context();
      client = (context == null ? builder : builder.sslContext(context)).build();
    }
    return client;
  }

  private static String encoded(String name) {
    return URLEncoder.encode(name, UTF_8).replace("+", "%20");
  }

  @Override
  public synchronized void close() {
    if (client != null) {
      client.shutdownNow();
      client = null;
    }
  }
}
