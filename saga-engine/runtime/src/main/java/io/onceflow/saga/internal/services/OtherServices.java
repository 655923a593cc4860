package io.onceflow.saga.internal.services;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.onceflow.saga.internal.services.ServiceAnswer.Answered;
import io.onceflow.saga.internal.services.ServiceAnswer.Unanswered;
import jakarta.annotation.PreDestroy;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Redirect;
import java.net.http.HttpClient.Version;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.jspecify.annotations.Nullable;

/**
 * The services that {@code onceflow.services} lists, asked on behalf of an operator: with the
 * operator's own token, so that each decides by itself what it shows and does. Every answer has a
 * deadline and a bound, redirects are not followed, and so many requests at most are under way.
 */
@ApplicationScoped
public class OtherServices {

  private static final int LARGEST_ANSWER = 1 << 20;

  /** All pages of a replica together; an answer of each takes 64 MiB at most. */
  private static final int MOST_AT_ONCE = 64;

  private final SortedMap<String, URI> urls = new TreeMap<>();
  private final int largestAnswer;
  private final Semaphore free;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final HttpClient client =
      HttpClient.newBuilder()
          .executor(threads)
          .followRedirects(Redirect.NEVER)
          .version(Version.HTTP_1_1)
          .build();

  /** An orchestrator that lists itself does not ask itself. */
  @Inject
  OtherServices(
      ServicesConfig config, @ConfigProperty(name = "quarkus.application.name") String self) {
    this(config, self, LARGEST_ANSWER, MOST_AT_ONCE);
  }

  OtherServices(ServicesConfig config, String self, int largestAnswer, int mostAtOnce) {
    config.urls().forEach((name, url) -> url.ifPresent(it -> urls.put(name, it)));
    urls.remove(self);
    this.largestAnswer = largestAnswer;
    this.free = new Semaphore(mostAtOnce);
  }

  @PreDestroy
  void close() {
    client.shutdownNow();
    threads.shutdownNow();
  }

  /** Where a service is; null for one that is not listed. */
  public @Nullable URI url(String name) {
    return urls.get(name);
  }

  /**
   * Asks all services at once; takes no longer than the slowest may.
   *
   * @param token of the caller, sent to each
   * @return an answer, or why there is none, by the service's name and in the order of names
   */
  public Map<String, ServiceAnswer> askAll(ServiceRequest request, String token) {
    long deadline = System.nanoTime() + request.within().toNanos();
    Map<String, Future<ServiceAnswer>> asked = new LinkedHashMap<>();
    urls.forEach((name, url) -> asked.put(name, threads.submit(() -> ask(url, request, token))));
    Map<String, ServiceAnswer> answers = new LinkedHashMap<>();
    asked.forEach((name, answer) -> answers.put(name, await(answer, request, deadline)));
    return answers;
  }

  /**
   * Asks one service.
   *
   * @param token of the caller
   * @return empty if no such service is listed
   */
  public Optional<ServiceAnswer> ask(String name, ServiceRequest request, String token) {
    long deadline = System.nanoTime() + request.within().toNanos();
    return Optional.ofNullable(urls.get(name))
        .map(url -> await(threads.submit(() -> ask(url, request, token)), request, deadline));
  }

  private static ServiceAnswer await(
      Future<ServiceAnswer> answer, ServiceRequest request, long deadline) {
    try {
      return answer.get(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      return late(request);
    } catch (ExecutionException e) {
      throw new IllegalStateException("a request to another service failed", e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return new Unanswered("This replica is stopping.");
    } finally {
      answer.cancel(true);
    }
  }

  /** An orchestrator starts without its participants, so a wrong URL is found here. */
  private ServiceAnswer ask(URI url, ServiceRequest request, String token) {
    boolean isHttp = "http".equals(url.getScheme()) || "https".equals(url.getScheme());
    if (!isHttp || url.getHost() == null || url.getUserInfo() != null || url.getQuery() != null) {
      return new Unanswered(
          "Its URL in onceflow.services is not like http://payment-service:8081.");
    }
    if (!free.tryAcquire()) {
      return new Unanswered("Limit reached: requests to other services; not sent, try again.");
    }
    try {
      return read(client.send(toHttp(url, request, token), BodyHandlers.ofInputStream()));
    } catch (IOException e) {
      return whyNot(e, url, request);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return late(request);
    } finally {
      free.release();
    }
  }

  private ServiceAnswer read(HttpResponse<InputStream> answer) throws IOException {
    try (InputStream body = answer.body()) {
      byte[] bytes = body.readNBytes(largestAnswer + 1);
      return bytes.length > largestAnswer
          ? new Unanswered("Its answer is larger than %s KiB.".formatted(largestAnswer >> 10))
          : new Answered(
              answer.statusCode(),
              answer.headers().firstValue("Content-Type").orElse(null),
              answer.headers().firstValue("Retry-After").orElse(null),
              new String(bytes, UTF_8));
    }
  }

  private static HttpRequest toHttp(URI url, ServiceRequest request, String token) {
    String base = url.toString().replaceFirst("/$", "");
    String body = request.body();
    BodyPublisher publisher =
        body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body);
    HttpRequest.Builder http =
        HttpRequest.newBuilder(URI.create(base + request.pathAndQuery()))
            .timeout(request.within())
            .header("Authorization", "Bearer " + token)
            .header("Accept", "application/json, application/problem+json")
            .method(request.method(), publisher);
    return (body == null ? http : http.header("Content-Type", "application/json")).build();
  }

  private static Unanswered late(ServiceRequest request) {
    return new Unanswered(
        "It did not answer within %s s%s"
            .formatted(
                request.within().toSeconds(),
                request.onlyReads()
                    ? "."
                    : ", and may have done it or may still do it: check first."));
  }

  private static Unanswered whyNot(IOException failure, URI url, ServiceRequest request) {
    return switch (failure) {
      case ConnectException none -> noConnection(url);
      case HttpConnectTimeoutException none -> noConnection(url);
      case HttpTimeoutException late -> late(request);
      default ->
          new Unanswered(
              "The connection to it failed: %s%s"
                  .formatted(failure, request.onlyReads() ? "" : "; it may have done it."));
    };
  }

  private static Unanswered noConnection(URI url) {
    return new Unanswered("Cannot connect to %s.".formatted(url.getAuthority()));
  }
}
