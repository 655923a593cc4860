package io.onceflow.web.internal.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.Channel;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.impl.VertxBuilder;
import io.vertx.core.net.impl.ConnectionBase;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketException;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A strict server, and raw connections to it. */
abstract class StrictConnections {

  static final int PATIENCE_MS = 20_000;
  static final String GOOD = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";

  static final String POST = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc";
  static final String LARGE = "x".repeat(20_000);
  static final String CHUNKED = "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n";

  Duration headerTimeout = Duration.ofMillis(PATIENCE_MS);

  final Vertx vertx =
      new VertxBuilder().serviceProviders(List.of(new StrictServer(this::limits))).init().vertx();

  final Queue<String> handled = new ConcurrentLinkedQueue<>();
  HttpServer server;
  volatile @Nullable Channel largeTo;

  final StrictServer.Limits limits() {
    return new StrictServer.Limits(
        headerTimeout, new HttpServerOptions().setMaxInitialLineLength(100).setMaxHeaderSize(200));
  }

  @BeforeEach
  void start() {
    start(vertx);
  }

  final void start(Vertx by) {
    server =
        by.createHttpServer()
            .requestHandler(this::handle)
            .listen(0)
            .toCompletionStage()
            .toCompletableFuture()
            .join();
  }

  private void handle(HttpServerRequest request) {
    if (request.path().equals("/refused")) {
      new WireProblem(415, "refused by its headers").sendAndClose(request);
      return;
    }
    if (request.path().equals("/large")) {
      handled.add("large");
      largeTo = ((ConnectionBase) request.connection()).channel();
      request.response().end(LARGE);
      return;
    }
    request
        .body()
        .onSuccess(
            body -> {
              handled.add(request.method() + " " + body);
              // Like a worker thread: after whatever else has been read.
              vertx.setTimer(20, answered -> request.response().end("fine" + body));
            });
  }

  @AfterEach
  void stop() {
    vertx.close().toCompletionStage().toCompletableFuture().join();
  }

  /** All that is answered until the server closes the connection. */
  final String say(int part, String... requests) throws IOException {
    try (Socket socket = connect()) {
      try {
        send(socket, part, String.join("", requests));
      } catch (SocketException e) {
        // The server has closed the connection; what it answered before is read below.
      }
      return new String(socket.getInputStream().readAllBytes(), ISO_8859_1);
    }
  }

  static void send(Socket socket, int part, String all) throws IOException {
    for (int i = 0; i < all.length(); i += part) {
      String next = all.substring(i, Math.min(all.length(), i + part));
      socket.getOutputStream().write(next.getBytes(ISO_8859_1));
    }
  }

  static String readUntil(Socket socket, String expected) throws IOException {
    Pattern pattern = Pattern.compile(expected, Pattern.DOTALL);
    StringBuilder answers = new StringBuilder();
    while (!pattern.matcher(answers).find()) {
      int next = socket.getInputStream().read();
      assertThat(next).as("closed after %s", answers).isNotNegative();
      answers.append((char) next);
    }
    return answers.toString();
  }

  final Socket connect() throws IOException {
    Socket socket = new Socket("localhost", server.actualPort());
    socket.setSoTimeout(PATIENCE_MS);
    socket.setTcpNoDelay(true);
    return socket;
  }
}
