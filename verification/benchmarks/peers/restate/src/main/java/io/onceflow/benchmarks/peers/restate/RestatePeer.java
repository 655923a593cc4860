package io.onceflow.benchmarks.peers.restate;

import dev.restate.sdk.endpoint.Endpoint;
import dev.restate.sdk.http.vertx.RestateHttpServer;
import io.onceflow.benchmarks.peers.PeerServer;
import io.onceflow.benchmarks.peers.SimulatedServices;

/** The process that Restate's server calls. */
public final class RestatePeer {

  private RestatePeer() {}

  /** Listens on the port of the environment until the benchmark closes the input. */
  public static void main(String[] arguments) throws Exception {
    SimulatedServices services = new SimulatedServices();
    int port = Integer.parseInt(System.getenv("PORT"));
    RestateHttpServer.listen(Endpoint.bind(new PlaceOrder(services)), port);
    PeerServer.serve(services);
    System.exit(0);
  }
}
