package io.onceflow.benchmarks.idempotency;

import io.onceflow.benchmarks.machine.Application;
import io.onceflow.benchmarks.machine.BenchBackends;
import io.onceflow.launcher.stack.Home;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The processes of the application that share one store. */
final class Replicas implements AutoCloseable {

  private final List<Application> applications = new ArrayList<>();

  private Replicas() {}

  /** Starts {@link Plan#REPLICAS} of them and returns when all are ready. */
  static Replicas start(Home home, BenchBackends backends, Store store)
      throws IOException, InterruptedException {
    Replicas replicas = new Replicas();
    try {
      for (int number = 1; number <= Plan.REPLICAS; number++) {
        replicas.applications.add(
            Application.start(home, "benchmark-application-" + number, backends, store.spelling()));
      }
      for (Application application : replicas.applications) {
        application.awaitReady();
      }
      return replicas;
    } catch (IOException | InterruptedException e) {
      replicas.close();
      throw e;
    }
  }

  /** Where the first so many of them listen. */
  List<URI> urls(int count) {
    return applications.stream().limit(count).map(Application::url).toList();
  }

  /** The processor time that all have used. */
  Duration cpu() {
    return applications.stream().map(Application::cpu).reduce(Duration.ZERO, Duration::plus);
  }

  @Override
  public void close() {
    applications.forEach(Application::close);
  }
}
