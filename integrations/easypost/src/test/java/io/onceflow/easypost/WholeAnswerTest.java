package io.onceflow.easypost;

import static org.assertj.core.api.Assertions.assertThat;

import com.easypost.model.Shipment;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Answers whose body comes after their headers. */
class WholeAnswerTest {

  private static final Duration LATER = Duration.ofMillis(50);

  private static final byte[] SHIPMENT =
      "{\"id\": \"shp_1\", \"object\": \"Shipment\"}".getBytes(StandardCharsets.UTF_8);

  @RegisterExtension static final TestEasyPost EASY_POST = new TestEasyPost();

  @Test
  void areReadWhole() throws Exception {
    HttpsServer server =
        HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setHttpsConfigurator(new HttpsConfigurator(EASY_POST.easyPost().identity()));
    server.createContext(
        "/",
        exchange -> {
          exchange.sendResponseHeaders(200, SHIPMENT.length);
          LockSupport.parkNanos(LATER.toNanos());
          exchange.getResponseBody().write(SHIPMENT);
          exchange.close();
        });
    server.start();
    try {
      EasyPostCalls calls =
          new EasyPostCalls(
              TestEasyPostConfig.of("https://localhost:" + server.getAddress().getPort()),
              new SimpleMeterRegistry());

      Shipment read = calls.call("find", it -> it.shipment.retrieve("shp_1"));

      assertThat(read).extracting(Shipment::getId).isEqualTo("shp_1");
    } finally {
      server.stop(0);
    }
  }
}
