package io.onceflow.benchmarks.machine;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.time.Duration;

/** The few questions the benchmark has for Redis itself. */
final class RedisServer {

  private static final Duration ANSWER_WITHIN = Duration.ofSeconds(10);

  private RedisServer() {}

  /** One line of {@code INFO}, such as {@code redis_version}; empty if there is none. */
  static String info(int port, String name) throws IOException {
    return ask(port, "INFO")
        .lines()
        .filter(line -> line.startsWith(name + ":"))
        .map(line -> line.substring(name.length() + 1).strip())
        .findFirst()
        .orElse("");
  }

  /** Empties it. */
  static void flush(int port) throws IOException {
    String answer = ask(port, "FLUSHALL");
    if (!answer.startsWith("+OK")) {
      throw new IOException("Redis answers FLUSHALL with " + answer);
    }
  }

  private static String ask(int port, String command) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.setSoTimeout((int) ANSWER_WITHIN.toMillis());
      socket.getOutputStream().write((command + "\r\nQUIT\r\n").getBytes(US_ASCII));
      return new String(socket.getInputStream().readAllBytes(), US_ASCII);
    }
  }
}
