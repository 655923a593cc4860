package io.onceflow.systemtests.chaos.stack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ProxyTest {

  private static final int SHORT_MS = 200;
  private static final int LONG_MS = 10_000;

  private ServerSocket server;
  private Proxy proxy;
  private Socket client;

  @BeforeEach
  void connect() throws IOException {
    server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    Thread.ofVirtual().start(this::echo);
    proxy = new Proxy(server.getLocalPort());
    client = new Socket(InetAddress.getLoopbackAddress(), proxy.port());
    client.setSoTimeout(LONG_MS);
    say(1);
    assertThat(hear()).isEqualTo(1);
  }

  @AfterEach
  void close() throws IOException {
    client.close();
    proxy.close();
    server.close();
  }

  @Test
  void whatIsDelayedComesLate() throws IOException {
    proxy.delay(Duration.ofMillis(300));
    long begin = System.nanoTime();

    say(2);

    assertThat(hear()).isEqualTo(2);
    assertThat(Duration.ofNanos(System.nanoTime() - begin))
        .isGreaterThanOrEqualTo(Duration.ofMillis(600));
  }

  @Test
  void whatIsStalledComesWhenItIsLetThrough() throws IOException {
    proxy.stall(true);
    client.setSoTimeout(SHORT_MS);
    say(3);
    assertThatThrownBy(this::hear).isInstanceOf(SocketTimeoutException.class);

    proxy.stall(false);

    client.setSoTimeout(LONG_MS);
    assertThat(hear()).isEqualTo(3);
  }

  @Test
  void aConnectionThatIsCutIsResetAndAnotherOneWorks() throws IOException {
    proxy.cut();

    assertThatThrownBy(this::hear).isInstanceOf(SocketException.class);
    client = new Socket(InetAddress.getLoopbackAddress(), proxy.port());
    client.setSoTimeout(LONG_MS);
    say(4);
    assertThat(hear()).isEqualTo(4);
  }

  @Test
  void aConnectionThatIsSilencedStaysOpenPassesNothingAndAnotherOneWorks() throws IOException {
    assertThat(proxy.silence(1)).isEqualTo(1);

    client.setSoTimeout(SHORT_MS);
    say(5);
    assertThatThrownBy(this::hear).isInstanceOf(SocketTimeoutException.class);
    try (Socket other = new Socket(InetAddress.getLoopbackAddress(), proxy.port())) {
      other.setSoTimeout(LONG_MS);
      assertThatThrownBy(this::hear).isInstanceOf(SocketTimeoutException.class);
      proxy.endSilence();
      assertThatThrownBy(this::hear).isInstanceOf(SocketException.class);
    }
  }

  private void say(int number) throws IOException {
    client.getOutputStream().write(number);
  }

  private int hear() throws IOException {
    return client.getInputStream().read();
  }

  private void echo() {
    while (!server.isClosed()) {
      try (Socket one = server.accept()) {
        one.getInputStream().transferTo(one.getOutputStream());
      } catch (IOException e) {
        // The proxy has cut it; the next one.
      }
    }
  }
}
