package io.onceflow.launcher.stack;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;

/**
 * Stands in for a service's jar: listens where it is told to, and says yes to everything, unless
 * the environment says otherwise for its port.
 */
public final class FakeService {

  private FakeService() {}

  /** Dies at once, or is never ready, or does as it should. */
  public static void main(String[] arguments) throws IOException {
    String port = System.getenv("QUARKUS_HTTP_PORT");
    if (port.equals(System.getenv("FAKE_SERVICE_DIES_ON"))) {
      System.out.println("the reason why");
      System.exit(3);
    }
    listen(port);
    if (!port.equals(System.getenv("FAKE_SERVICE_NEVER_READY_ON"))) {
      listen(System.getenv("QUARKUS_MANAGEMENT_PORT"));
    }
  }

  private static void listen(String port) throws IOException {
    InetSocketAddress address = new InetSocketAddress("localhost", Integer.parseInt(port));
    HttpServer server = HttpServer.create(address, 0);
    server.createContext(
        "/",
        exchange -> {
          exchange.sendResponseHeaders(200, -1);
          exchange.close();
        });
    server.start();
  }
}
