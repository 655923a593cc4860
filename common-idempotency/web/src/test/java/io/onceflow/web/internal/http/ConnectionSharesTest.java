package io.onceflow.web.internal.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Metrics;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.impl.VertxBuilder;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConnectionSharesTest {

  private static final int MOST = 3;
  private static final int PATIENCE_MS = 20_000;
  private static final String ONE = "127.0.0.1";
  private static final String ANOTHER = "127.0.0.2";

  private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
  private final List<Socket> open = new ArrayList<>();
  private final List<Vertx> started = new ArrayList<>();

  @BeforeEach
  void measure() {
    Metrics.addRegistry(meters);
  }

  @AfterEach
  void stop() throws IOException {
    for (Socket socket : open) {
      socket.close();
    }
    started.forEach(vertx -> vertx.close().toCompletionStage().toCompletableFuture().join());
    Metrics.removeRegistry(meters);
  }

  /** Linux has all of 127.0.0.0/8; elsewhere there is no second address to call from. */
  @Test
  @EnabledOnOs(OS.LINUX)
  void anAddressThatHasItsShareOfConnectionsTakesNoneFromOthers() throws IOException {
    int port = serve(MOST);
    for (int i = 0; i < MOST; i++) {
      assertThat(isServed(connect(port, ONE))).isTrue();
    }

    assertThat(isServed(connect(port, ONE))).as("one more").isFalse();
    assertThat(isServed(connect(port, ANOTHER))).as("another address").isTrue();
    assertThat(isServed(open.getFirst())).as("the first, still").isTrue();
    assertThat(refused()).isEqualTo(1);
  }

  @Test
  void aConnectionThatIsClosedMakesRoomForAnother() throws IOException {
    int port = serve(1);
    Socket first = connect(port, ONE);
    assertThat(isServed(first)).isTrue();
    assertThat(isServed(connect(port, ONE))).isFalse();

    first.close();

    await().until(() -> isServed(connect(port, ONE)));
    assertThat(isServed(connect(port, ONE))).as("refusals free nothing").isFalse();
  }

  @Test
  void zeroIsNoBound() throws IOException {
    int port = serve(0);

    for (int i = 0; i < 10 * MOST; i++) {
      assertThat(isServed(connect(port, ONE))).isTrue();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "2001:db8:1:2:3:4:5:6, 2001:db8:1:2::",
    "2001:db8:1:2::, 2001:db8:1:2::",
    "::ffff:192.0.2.7, 192.0.2.7",
    "192.0.2.7, 192.0.2.7"
  })
  void addressesOfOneNetworkShare(String address, String network) throws IOException {
    assertThat(ConnectionShares.network(InetAddress.getByName(address)))
        .isEqualTo(InetAddress.getByName(network));
  }

  private int serve(int mostPerAddress) {
    StrictServer.Limits limits =
        new StrictServer.Limits(Duration.ofSeconds(10), new HttpServerOptions(), mostPerAddress);
    Vertx vertx =
        new VertxBuilder().serviceProviders(List.of(new StrictServer(() -> limits))).init().vertx();
    started.add(vertx);
    return vertx
        .createHttpServer()
        .requestHandler(request -> request.response().end("fine"))
        .listen(0, "0.0.0.0")
        .toCompletionStage()
        .toCompletableFuture()
        .join()
        .actualPort();
  }

  private Socket connect(int port, String from) throws IOException {
    Socket socket = new Socket(InetAddress.getByName(ONE), port, InetAddress.getByName(from), 0);
    socket.setSoTimeout(PATIENCE_MS);
    open.add(socket);
    return socket;
  }

  /** Whether a request is answered; if not, the connection has been closed. */
  private static boolean isServed(Socket socket) throws IOException {
    try {
      socket.getOutputStream().write("GET / HTTP/1.1\r\nHost: a\r\n\r\n".getBytes(ISO_8859_1));
      byte[] answer = new byte[1024];
      int length = socket.getInputStream().read(answer);
      return length > 0 && new String(answer, 0, length, ISO_8859_1).startsWith("HTTP/1.1 200");
    } catch (SocketException closed) {
      return false;
    }
  }

  private double refused() {
    Counter counter = meters.find(ConnectionShares.REFUSED).counter();
    return counter == null ? 0 : counter.count();
  }
}
