package io.onceflow.quarkus.devui;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** Asks what the pages of the Dev UI ask, as they do. */
final class JsonRpcClient implements AutoCloseable {

  private static final ObjectMapper JSON = new ObjectMapper();

  private final BlockingQueue<String> answers = new LinkedBlockingQueue<>();
  private final HttpClient http = HttpClient.newHttpClient();
  private final WebSocket socket;
  private int id;

  JsonRpcClient(int port) {
    socket =
        http.newWebSocketBuilder()
            .buildAsync(
                URI.create("ws://localhost:%d/q/dev-ui/json-rpc-ws".formatted(port)),
                new Collecting(answers))
            .join();
  }

  /** The result of a method of the extension's service. */
  JsonNode call(String method, Map<String, String> parameters)
      throws IOException, InterruptedException {
    id++;
    Map<String, Object> request =
        Map.of(
            "jsonrpc",
            "2.0",
            "id",
            id,
            "method",
            "quarkus-onceflow_" + method,
            "params",
            parameters);
    socket.sendText(JSON.writeValueAsString(request), true).join();
    for (String text = next(); text != null; text = next()) {
      JsonNode answer = JSON.readTree(text);
      if (answer.path("id").asInt() == id) {
        return answer.path("result").path("object");
      }
    }
    throw new IOException("no answer to " + request);
  }

  private String next() throws InterruptedException {
    return answers.poll(30, TimeUnit.SECONDS);
  }

  @Override
  public void close() {
    socket.abort();
    http.close();
  }

  /** Puts the parts of each text together. */
  private static final class Collecting implements WebSocket.Listener {

    private final BlockingQueue<String> texts;
    private final StringBuilder begun = new StringBuilder();

    Collecting(BlockingQueue<String> texts) {
      this.texts = texts;
    }

    @Override
    public CompletionStage<?> onText(WebSocket socket, CharSequence part, boolean isLast) {
      begun.append(part);
      if (isLast) {
        texts.add(begun.toString());
        begun.setLength(0);
      }
      socket.request(1);
      return null;
    }
  }
}
