package io.onceflow.benchmarks.peers.temporal;

import io.onceflow.benchmarks.peers.PeerServer;
import io.onceflow.benchmarks.peers.SimulatedServices;
import io.temporal.client.WorkflowOptions;
import io.temporal.testing.TestEnvironmentOptions;
import io.temporal.testing.TestWorkflowEnvironment;
import io.temporal.worker.Worker;

/** Temporal's test server, a worker and the clients in one JVM. Nothing of it is on disk. */
public final class TemporalPeer {

  private static final String QUEUE = "orders";

  private TemporalPeer() {}

  /** Runs until the benchmark closes the input. */
  public static void main(String[] arguments) throws Exception {
    SimulatedServices services = new SimulatedServices();
    try (TestWorkflowEnvironment server =
        TestWorkflowEnvironment.newInstance(
            TestEnvironmentOptions.newBuilder().setUseTimeskipping(false).build())) {
      Worker worker = server.newWorker(QUEUE);
      worker.registerWorkflowImplementationTypes(PlaceOrderWorkflow.class);
      worker.registerActivitiesImplementations(new SimulatedActivities(services));
      server.start();
      PeerServer.serve(
          order ->
              server
                  .getWorkflowClient()
                  .newWorkflowStub(
                      PlaceOrder.class,
                      WorkflowOptions.newBuilder()
                          .setWorkflowId(order.id())
                          .setTaskQueue(QUEUE)
                          .build())
                  .run(order),
          services);
    }
    System.exit(0);
  }
}
