package io.onceflow.web.internal.http;

import io.onceflow.internal.database.FailureKind;
import io.quarkiverse.resteasy.problem.HttpProblem;
import io.quarkiverse.resteasy.problem.postprocessing.ProblemContext;
import io.quarkiverse.resteasy.problem.postprocessing.ProblemPostProcessor;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;
import java.util.Set;
import java.util.function.Supplier;
import org.jboss.resteasy.reactive.server.core.CurrentRequestManager;
import org.jboss.resteasy.reactive.server.core.ResteasyReactiveRequestContext;
import org.jspecify.annotations.Nullable;

/**
 * Answers 503 with {@code Retry-After}, where the framework answers 500, if the database could not
 * be asked for a read, or not in time: a client may repeat that. What changes something answers for
 * itself, since only it knows what has been done.
 */
@ApplicationScoped
class UnavailableDatabase implements ProblemPostProcessor {

  private static final Set<String> READS = Set.of("GET", "HEAD");

  private static final int RETRY_AFTER_SECONDS = 2;

  /**
   * Before the problem is logged, whose priority is 101: the log tells what was answered. And
   * before {@link ProblemInstance}, which completes it.
   */
  private static final int BEFORE_LOGGER = 103;

  private final Supplier<@Nullable String> method;

  @Inject
  UnavailableDatabase() {
    this(UnavailableDatabase::currentMethod);
  }

  /**
   * @param method of the request; null outside of one
   */
  UnavailableDatabase(Supplier<@Nullable String> method) {
    this.method = method;
  }

  @Override
  public HttpProblem apply(HttpProblem problem, ProblemContext context) {
    boolean isUnexplained =
        problem.getStatusCode() == Response.Status.INTERNAL_SERVER_ERROR.getStatusCode()
            && problem.getType() == null;
    String asked = method.get();
    return isUnexplained
            && asked != null
            && READS.contains(asked)
            && FailureKind.of(context.cause) != FailureKind.OTHER
        ? unavailable()
        : problem;
  }

  private static HttpProblem unavailable() {
    return HttpProblem.builder()
        .withStatus(Response.Status.SERVICE_UNAVAILABLE)
        .withTitle("The database does not answer")
        .withDetail("It could not be read. Repeat the same request later.")
        .withHeader(HttpHeaders.RETRY_AFTER, RETRY_AFTER_SECONDS)
        .build();
  }

  private static @Nullable String currentMethod() {
    ResteasyReactiveRequestContext request = CurrentRequestManager.get();
    return request == null ? null : request.getMethod();
  }

  @Override
  public int priority() {
    return BEFORE_LOGGER;
  }
}
