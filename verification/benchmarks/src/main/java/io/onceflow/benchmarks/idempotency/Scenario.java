package io.onceflow.benchmarks.idempotency;

/**
 * One run.
 *
 * @param clients each with one request in flight
 * @param replicas processes of the application that the clients spread over
 */
record Scenario(Workload workload, Store store, int clients, int replicas) {

  @Override
  public String toString() {
    return "%s, %s, %d client%s, %d process%s"
        .formatted(
            workload.title(),
            store.spelling(),
            clients,
            clients == 1 ? "" : "s",
            replicas,
            replicas == 1 ? "" : "es");
  }
}
