package io.onceflow.systemtests;

import java.io.BufferedInputStream;
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

/**
 * A connection to a service over which anything can be said, HTTP or not: clients worth the name
 * refuse to send most of what a server has to bear.
 */
final class Wire implements AutoCloseable {

  private final Socket socket;
  private final InputStream in;

  private Wire(Socket socket) throws IOException {
    this.socket = socket;
    this.in = new BufferedInputStream(socket.getInputStream());
  }

  /**
   * @param patience for each byte that is waited for; then a {@link
   *     java.net.SocketTimeoutException} is thrown
   */
  static Wire to(ServiceProcess service, Duration patience) throws IOException {
    URI url = URI.create(service.url());
    Socket socket = new Socket();
    socket.connect(new InetSocketAddress(url.getHost(), url.getPort()), (int) patience.toMillis());
    socket.setSoTimeout((int) patience.toMillis());
    socket.setTcpNoDelay(true);
    return new Wire(socket);
  }

  /**
   * An answer.
   *
   * @param headers by their names in small letters
   */
  record Answer(int status, Map<String, String> headers, String body) {

    String contentType() {
      return headers.getOrDefault("content-type", "");
    }

    /** Whether nothing comes after it: the server closes the connection. */
    boolean isLast() {
      return "close".equalsIgnoreCase(headers.get("connection"));
    }
  }

  void send(String text) throws IOException {
    send(text.getBytes(StandardCharsets.UTF_8));
  }

  void send(byte[] bytes) throws IOException {
    socket.getOutputStream().write(bytes);
    socket.getOutputStream().flush();
  }

  /**
   * The next answer.
   *
   * @throws EOFException when the server has closed the connection instead
   */
  Answer read() throws IOException {
    String[] first = line().split(" ", 3);
    if (first.length < 2 || !first[0].startsWith("HTTP/1.")) {
      throw new IOException("This is no answer: " + String.join(" ", first));
    }
    Map<String, String> headers = new TreeMap<>();
    for (String line = line(); !line.isEmpty(); line = line()) {
      int colon = line.indexOf(':');
      headers.put(
          line.substring(0, colon).toLowerCase(Locale.ROOT), line.substring(colon + 1).strip());
    }
    int status = Integer.parseInt(first[1]);
    return status == 100 ? read() : new Answer(status, headers, body(status, headers));
  }

  /** Whether the server has closed the connection; waits for it, and for no longer than it may. */
  boolean isClosedByServer() throws IOException {
    return in.read() == -1;
  }

  private String body(int status, Map<String, String> headers) throws IOException {
    if (status == 204 || status == 304) {
      return "";
    }
    if ("chunked".equals(headers.get("transfer-encoding"))) {
      return chunks();
    }
    String length = headers.get("content-length");
    byte[] bytes = length == null ? new byte[0] : in.readNBytes(Integer.parseInt(length));
    return new String(bytes, StandardCharsets.UTF_8);
  }

  private String chunks() throws IOException {
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    for (int size = chunk(); size > 0; size = chunk()) {
      body.write(in.readNBytes(size));
      line();
    }
    line();
    return body.toString(StandardCharsets.UTF_8);
  }

  private int chunk() throws IOException {
    return Integer.parseInt(line().strip(), 16);
  }

  private String line() throws IOException {
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
  public void close() {
    try {
      socket.close();
    } catch (IOException e) {
      // it is gone, as it should be
    }
  }
}
