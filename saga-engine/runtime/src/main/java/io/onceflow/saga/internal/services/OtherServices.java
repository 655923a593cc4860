package io.onceflow.saga.internal.services;

import io.onceflow.saga.internal.services.ServiceAnswer.Answered;
import io.onceflow.saga.internal.services.ServiceAnswer.Unanswered;
import jakarta.annotation.PreDestroy;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
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
import java.net.http.HttpTimeoutException;
import java.nio.channels.UnresolvedAddressException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
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

  private final Map<String, URI> urls;
  private final int largestAnswer;
  private final Semaphore free;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final HttpClient client =
      HttpClient.newBuilder()
          .executor(threads)
          .followRedirects(Redirect.NEVER)
          .version(Version.HTTP_1_1)
          .build();

  /** A request under way. */
  private record Asked(
      ServiceRequest request, URI url, long begun, CompletableFuture<HttpResponse<String>> answer) {

    long nanosLeft() {
      return request.within().toNanos() - (System.nanoTime() - begun);
    }
  }

  /** An orchestrator that lists itself does not ask itself. */
  @Inject
  OtherServices(
      ServicesConfig config, @ConfigProperty(name = "quarkus.application.name") String self) {
    this(config, self, LARGEST_ANSWER, MOST_AT_ONCE);
  }

  OtherServices(ServicesConfig config, String self, int largestAnswer, int mostAtOnce) {
    Map<String, URI> listed = new TreeMap<>();
    config.urls().forEach((name, url) -> url.ifPresent(it -> listed.put(name, it)));
    listed.remove(self);
    this.urls = Map.copyOf(listed);
    this.largestAnswer = largestAnswer;
    this.free = new Semaphore(mostAtOnce);
  }

  @PreDestroy
  void close() {
    client.shutdownNow();
    threads.shutdownNow();
  }

  /** Their names, in order. */
  public List<String> names() {
    return urls.keySet().stream().sorted().toList();
  }

  /** Where a service is; empty for one that is not listed. */
  public Optional<URI> url(String name) {
    return Optional.ofNullable(urls.get(name));
  }

  /**
   * Asks all services for the same path at once; takes no longer than the slowest may.
   *
   * @param pathAndQuery put together from parts that were checked and encoded
   * @param token of the caller, sent to each
   * @return an answer, or why there is none, by the service's name and in the order of names
   */
  public Map<String, ServiceAnswer> getFromAll(String pathAndQuery, String token) {
    return getFromAll(ServiceRequest.get(pathAndQuery), token);
  }

  /** The same with another request. */
  public Map<String, ServiceAnswer> getFromAll(ServiceRequest request, String token) {
    Map<String, Asked> asked = new LinkedHashMap<>();
    names().forEach(name -> asked.put(name, begin(urlOf(name), request, token)));
    Map<String, ServiceAnswer> answers = new LinkedHashMap<>();
    asked.forEach((name, one) -> answers.put(name, end(one)));
    return answers;
  }

  /**
   * Asks one service.
   *
   * @param token of the caller
   * @return empty if no such service is listed
   */
  public Optional<ServiceAnswer> ask(String name, ServiceRequest request, String token) {
    return url(name).map(url -> end(begin(url, request, token)));
  }

  private URI urlOf(String name) {
    return Objects.requireNonNull(urls.get(name));
  }

  private Asked begin(URI url, ServiceRequest request, String token) {
    return new Asked(request, url, System.nanoTime(), send(url, request, token));
  }

  private CompletableFuture<HttpResponse<String>> send(
      URI url, ServiceRequest request, String token) {
    String flaw = flawOf(url);
    if (flaw != null) {
      return CompletableFuture.failedFuture(new NotAsked(flaw));
    }
    if (!free.tryAcquire()) {
      return CompletableFuture.failedFuture(
          new NotAsked("This replica asks too much of other services at the moment; try again."));
    }
    try {
      CompletableFuture<HttpResponse<String>> sent =
          client.sendAsync(toHttp(url, request, token), head -> new BoundedBody(largestAnswer));
      sent.whenComplete((answer, failure) -> free.release());
      return sent;
    } catch (RuntimeException e) {
      free.release();
      throw e;
    }
  }

  /** Found when it is asked: an orchestrator starts without its participants. */
  private static @Nullable String flawOf(URI url) {
    boolean isHttp = "http".equals(url.getScheme()) || "https".equals(url.getScheme());
    if (!isHttp || url.getHost() == null || url.getUserInfo() != null || url.getQuery() != null) {
      return "Its URL in onceflow.services is not like http://payment-service:8081.";
    }
    return null;
  }

  private static HttpRequest toHttp(URI url, ServiceRequest request, String token) {
    String base = url.toString();
    String path = base.endsWith("/") ? base.substring(0, base.length() - 1) : base;
    String body = request.body();
    HttpRequest.Builder http =
        HttpRequest.newBuilder(URI.create(path + request.pathAndQuery()))
            .timeout(request.within())
            .header("Authorization", "Bearer " + token)
            .header("Accept", "application/json, application/problem+json");
    if (body != null) {
      http.header("Content-Type", "application/json");
    }
    return http.method(request.method(), publisher(body)).build();
  }

  private static BodyPublisher publisher(@Nullable String body) {
    return body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body);
  }

  private static ServiceAnswer end(Asked asked) {
    try {
      HttpResponse<String> answer = asked.answer().get(asked.nanosLeft(), TimeUnit.NANOSECONDS);
      return new Answered(
          answer.statusCode(),
          answer.headers().firstValue("Content-Type").orElse(null),
          answer.headers().firstValue("Retry-After").orElse(null),
          answer.body());
    } catch (TimeoutException e) {
      asked.answer().cancel(true);
      return new Unanswered(late(asked.request()));
    } catch (ExecutionException | CancellationException e) {
      return new Unanswered(why(e.getCause(), asked));
    } catch (InterruptedException e) {
      asked.answer().cancel(true);
      Thread.currentThread().interrupt();
      return new Unanswered("This replica stops.");
    }
  }

  private static String late(ServiceRequest request) {
    long seconds = request.within().toSeconds();
    return request.onlyReads()
        ? "It did not answer within %s s.".formatted(seconds)
        : "It did not answer within %s s, and may have done it or may still do it: look first."
            .formatted(seconds);
  }

  private static String why(@Nullable Throwable failure, Asked asked) {
    return switch (failure) {
      case NotAsked refused -> String.valueOf(refused.getMessage());
      case BoundedBody.TooLarge tooLarge -> String.valueOf(tooLarge.getMessage());
      case HttpConnectTimeoutException none -> noConnection(asked);
      case HttpTimeoutException late -> late(asked.request());
      case ConnectException none when none.getCause() instanceof UnresolvedAddressException ->
          "The name %s is not known.".formatted(asked.url().getHost());
      case ConnectException none -> noConnection(asked);
      case null -> "The request was given up.";
      default ->
          "The connection to it failed: %s%s"
              .formatted(failure, asked.request().onlyReads() ? "" : "; it may have done it.");
    };
  }

  private static String noConnection(Asked asked) {
    return "There is no connection to %s.".formatted(asked.url().getAuthority());
  }

  /** A request that was not sent. */
  private static final class NotAsked extends RuntimeException {

    private static final long serialVersionUID = 1L;

    NotAsked(String why) {
      super(why, null, false, false);
    }
  }
}
