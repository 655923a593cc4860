package io.onceflow.launcher.stack;

import static java.util.stream.Collectors.joining;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Waits until services say that they are ready. */
final class Readiness {

  /**
   * Several times what three services need that start at once on two slow cores. The training run
   * of an image, which writes down what is loaded, took four minutes beside other builds. A service
   * that ended is noticed at once.
   */
  private static final Duration DEADLINE = Duration.ofMinutes(15);

  private static final Duration ASK_EVERY = Duration.ofMillis(250);
  private static final Duration ANSWER_WITHIN = Duration.ofSeconds(5);
  private static final Duration REPORT_EVERY = Duration.ofSeconds(10);

  private final Progress progress;
  private final HttpClient http = HttpClient.newBuilder().connectTimeout(ANSWER_WITHIN).build();

  Readiness(Progress progress) {
    this.progress = progress;
  }

  /**
   * Returns when all are ready.
   *
   * @throws LaunchException as soon as one has ended, or when they take too long
   */
  void await(List<ServiceProcess> services) throws InterruptedException {
    Map<Service, ServiceProcess> waitedFor = new LinkedHashMap<>();
    services.forEach(it -> waitedFor.put(it.service(), it));
    long startedAt = System.nanoTime();
    long reportedAt = startedAt;
    while (true) {
      waitedFor.values().removeIf(this::isReady);
      if (waitedFor.isEmpty()) {
        return;
      }
      long now = System.nanoTime();
      if (now - startedAt > DEADLINE.toNanos()) {
        throw new LaunchException(
            "Not ready after %s s: %s".formatted(DEADLINE.toSeconds(), titles(waitedFor)));
      }
      if (now - reportedAt > REPORT_EVERY.toNanos()) {
        progress.waiting(titles(waitedFor));
        reportedAt = now;
      }
      Thread.sleep(ASK_EVERY);
    }
  }

  private boolean isReady(ServiceProcess service) {
    if (!service.process().isAlive()) {
      throw new LaunchException(service.obituary());
    }
    if (!answersReady(service.service().managementPort())) {
      return false;
    }
    progress.ready(service.service().name(), "http://localhost:" + service.service().port());
    return true;
  }

  private boolean answersReady(int managementPort) {
    URI uri = URI.create("http://localhost:" + managementPort + "/q/health/ready");
    HttpRequest request = HttpRequest.newBuilder(uri).timeout(ANSWER_WITHIN).build();
    try {
      return http.send(request, BodyHandlers.discarding()).statusCode() == 200;
    } catch (IOException e) {
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private static String titles(Map<Service, ServiceProcess> services) {
    return services.keySet().stream().map(Service::name).collect(joining(", "));
  }
}
