package io.onceflow.web.internal.http;

import io.quarkiverse.resteasy.problem.HttpProblem;
import io.quarkiverse.resteasy.problem.InstanceUtils;
import io.quarkiverse.resteasy.problem.postprocessing.ProblemContext;
import io.quarkiverse.resteasy.problem.postprocessing.ProblemPostProcessor;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.ws.rs.core.UriInfo;
import org.jboss.resteasy.reactive.server.core.CurrentRequestManager;
import org.jboss.resteasy.reactive.server.core.ResteasyReactiveRequestContext;

/**
 * Gives each problem the whole path of its request as the instance. The problem extension takes
 * {@link UriInfo#getPath()}, which lacks the path that the application is below.
 */
@ApplicationScoped
class ProblemInstance implements ProblemPostProcessor {

  /** After {@link UnavailableDatabase}, which replaces the problem; before the log, at 101. */
  private static final int BEFORE_LOGGER = 102;

  @Override
  public HttpProblem apply(HttpProblem problem, ProblemContext context) {
    ResteasyReactiveRequestContext request = CurrentRequestManager.get();
    if (problem.getInstance() != null || request == null) {
      return problem;
    }
    String path = request.getUriInfo().getRequestUri().getRawPath();
    return HttpProblem.builder(problem).withInstance(InstanceUtils.pathToInstance(path)).build();
  }

  @Override
  public int priority() {
    return BEFORE_LOGGER;
  }
}
