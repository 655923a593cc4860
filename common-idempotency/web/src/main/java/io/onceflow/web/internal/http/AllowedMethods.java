package io.onceflow.web.internal.http;

import io.quarkiverse.resteasy.problem.HttpProblem;
import io.quarkiverse.resteasy.problem.postprocessing.ProblemContext;
import io.quarkiverse.resteasy.problem.postprocessing.ProblemPostProcessor;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.ws.rs.core.HttpHeaders;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import org.jboss.resteasy.reactive.server.core.CurrentRequestManager;
import org.jboss.resteasy.reactive.server.core.Deployment;
import org.jboss.resteasy.reactive.server.core.ResteasyReactiveRequestContext;
import org.jboss.resteasy.reactive.server.mapping.RequestMapper;
import org.jboss.resteasy.reactive.server.mapping.RequestMapper.RequestPath;
import org.jboss.resteasy.reactive.server.mapping.RuntimeResource;
import org.jboss.resteasy.reactive.server.mapping.URITemplate;
import org.jboss.resteasy.reactive.server.util.RuntimeResourceVisitor;

/** Names the methods that a resource has in the answer to one that it does not have (RFC 9110). */
@ApplicationScoped
class AllowedMethods implements ProblemPostProcessor {

  private static final int METHOD_NOT_ALLOWED = 405;

  private final Map<String, RequestMapper<String>> byMethod = new ConcurrentHashMap<>();

  @Override
  public HttpProblem apply(HttpProblem problem, ProblemContext context) {
    ResteasyReactiveRequestContext request = CurrentRequestManager.get();
    if (problem.getStatusCode() != METHOD_NOT_ALLOWED || request == null) {
      return problem;
    }
    return HttpProblem.builder(problem)
        .withHeader(HttpHeaders.ALLOW, String.join(", ", allowed(request)))
        .build();
  }

  private Set<String> allowed(ResteasyReactiveRequestContext request) {
    if (byMethod.isEmpty()) {
      byMethod.putAll(mappers(request.getDeployment()));
    }
    Set<String> allowed = new TreeSet<>(Set.of("OPTIONS"));
    byMethod.forEach(
        (method, paths) -> {
          if (paths.map(request.getPathWithoutPrefix()) != null) {
            allowed.add(method);
          }
        });
    if (allowed.contains("GET")) {
      allowed.add("HEAD");
    }
    return allowed;
  }

  private static Map<String, RequestMapper<String>> mappers(Deployment deployment) {
    Map<String, List<RequestPath<String>>> paths = new ConcurrentHashMap<>();
    RuntimeResourceVisitor.visitRuntimeResources(
        "",
        deployment.getClassMappers(),
        new RuntimeResourceVisitor() {
          @Override
          public void visitRuntimeResource(String method, String path, RuntimeResource resource) {
            paths
                .computeIfAbsent(method, unseen -> new ArrayList<>())
                .add(new RequestPath<>(false, new URITemplate(path, false), path));
          }
        });
    Map<String, RequestMapper<String>> mappers = new ConcurrentHashMap<>();
    paths.forEach((method, its) -> mappers.put(method, new RequestMapper<>(new ArrayList<>(its))));
    return mappers;
  }
}
