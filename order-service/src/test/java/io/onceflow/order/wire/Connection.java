package io.onceflow.order.wire;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** A connection over which any bytes can be sent; HTTP clients refuse most of them. */
final class Connection implements AutoCloseable {

  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final Socket socket = new Socket();

  Connection(URI service) throws IOException {
    socket.connect(new InetSocketAddress(service.getHost(), service.getPort()));
    socket.setSoTimeout((int) PATIENCE.toMillis());
    socket.setTcpNoDelay(true);
  }

  /**
   * An answer.
   *
   * @param headers by their names in lower case
   */
  record Answer(int status, Map<String, String> headers, String body) {

    String header(String name) {
      return headers.getOrDefault(name.toLowerCase(Locale.ROOT), "");
    }

    boolean isProblem() {
      return header("Content-Type").equals("application/problem+json")
          && body.contains("\"status\":" + status)
          && Integer.parseInt(header("Content-Length")) == body.length();
    }
  }

  /** Sends one request, lines ended as HTTP wants it, and reads its answer. */
  static Answer ask(URI service, String request) throws IOException {
    try (Connection connection = new Connection(service)) {
      connection.send(request);
      return connection.read();
    }
  }

  Connection send(String text) throws IOException {
    socket
        .getOutputStream()
        .write(text.replace("\n", "\r\n").getBytes(StandardCharsets.ISO_8859_1));
    return this;
  }

  Answer read() throws IOException {
    int status = Integer.parseInt(line().split(" ")[1]);
    Map<String, String> headers = new TreeMap<>();
    for (String line = line(); !line.isEmpty(); line = line()) {
      String[] header = line.split(":", 2);
      headers.merge(header[0].toLowerCase(Locale.ROOT), header[1].strip(), (a, b) -> a + ", " + b);
    }
    int length = Integer.parseInt(headers.getOrDefault("content-length", "0"));
    byte[] body = socket.getInputStream().readNBytes(length);
    return new Answer(status, headers, new String(body, StandardCharsets.UTF_8));
  }

  boolean isClosedByServer() throws IOException {
    return socket.getInputStream().read() == -1;
  }

  /** Whether nothing was answered and the connection is open, as far as this side knows. */
  boolean isSilent() throws IOException {
    return socket.getInputStream().available() == 0 && !socket.isClosed();
  }

  private String line() throws IOException {
    InputStream in = socket.getInputStream();
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    for (int next = in.read(); next != '\n'; next = in.read()) {
      if (next == -1) {
        throw new EOFException("The server has closed the connection");
      }
      line.write(next);
    }
    return line.toString(StandardCharsets.ISO_8859_1).stripTrailing();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
