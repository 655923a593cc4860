package io.onceflow.systemtests;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;

/** A page of another site, which posts a form to an address of ours as soon as it is opened. */
final class ForeignPage implements AutoCloseable {

  private static final String PAGE =
      """
      <!doctype html><title>You have won</title>
      <form method="post" enctype="text/plain" action="%s"><input name='{"reason": "' value='I was tricked"}'></form>
      <script>document.forms[0].submit()</script>
      """;

  private final HttpServer server;
  private final String page;

  ForeignPage(String target) {
    page = PAGE.formatted(target);
    try {
      server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    server.createContext("/", this::answer);
    server.start();
  }

  /** By a name that is no part of our address, so that it is another site. */
  String url() {
    return "http://localhost:%d/".formatted(server.getAddress().getPort());
  }

  private void answer(HttpExchange exchange) throws IOException {
    byte[] body = page.getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().set("Content-Type", "text/html; charset=utf-8");
    exchange.sendResponseHeaders(200, body.length);
    exchange.getResponseBody().write(body);
    exchange.close();
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
