package io.onceflow.web.internal.http;

import io.quarkiverse.resteasy.problem.HttpProblem;
import io.quarkiverse.resteasy.problem.InstanceUtils;
import io.quarkiverse.resteasy.problem.postprocessing.ProblemContext;
import io.quarkiverse.resteasy.problem.postprocessing.ProblemPostProcessor;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.ws.rs.core.UriInfo;
import java.net.URI;
import org.jboss.resteasy.reactive.server.core.CurrentRequestManager;
import org.jboss.resteasy.reactive.server.core.ResteasyReactiveRequestContext;

/**
 * Gives each problem the whole path of its request as the instance. The problem extension takes
 * {@link UriInfo#getPath()}, which lacks the path that the application is below.
 */
@ApplicationScoped
public class ProblemInstance implements ProblemPostProcessor {

  /** After {@link UnavailableDatabase}, which replaces the problem; before the log, at 101. */
  private static final int BEFORE_LOGGER = 102;

  /** The path of a request, encoded as it was sent, in the form that the extension writes out. */
  public static URI of(UriInfo request) {
    return InstanceUtils.pathToInstance(request.getRequestUri().getRawPath());
  }

  @Override
  public HttpProblem apply(HttpProblem problem, ProblemContext context) {
    ResteasyReactiveRequestContext request = CurrentRequestManager.get();
    return problem.getInstance() != null || request == null
        ? problem
        : HttpProblem.builder(problem).withInstance(of(request.getUriInfo())).build();
  }

  @Override
  public int priority() {
    return BEFORE_LOGGER;
  }
}
