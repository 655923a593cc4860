package io.onceflow.idempotency.internal.openapi;

import io.onceflow.idempotency.Idempotent;
import io.onceflow.idempotency.internal.openapi.ResourcePaths.Endpoint;
import io.quarkus.smallrye.openapi.OpenApiFilter;
import io.quarkus.smallrye.openapi.OpenApiFilter.RunStage;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.eclipse.microprofile.config.ConfigProvider;
import org.eclipse.microprofile.openapi.OASFilter;
import org.eclipse.microprofile.openapi.models.OpenAPI;
import org.eclipse.microprofile.openapi.models.Operation;
import org.eclipse.microprofile.openapi.models.PathItem;
import org.jboss.jandex.AnnotationInstance;
import org.jboss.jandex.AnnotationTarget;
import org.jboss.jandex.DotName;
import org.jboss.jandex.IndexView;
import org.jboss.jandex.MethodInfo;

/**
 * Describes every guarded operation in the application's OpenAPI document, when the application is
 * built: header, answers, policy. Quarkus finds it by its annotation; where there is no OpenAPI
 * extension, it is not called.
 */
@OpenApiFilter(stages = RunStage.BUILD)
public class OpenApiGuard implements OASFilter {

  private static final DotName IDEMPOTENT = DotName.createSimple(Idempotent.class);

  private final IndexView index;

  /** Called by SmallRye OpenAPI. */
  public OpenApiGuard(IndexView index) {
    this.index = index;
  }

  @Override
  public void filterOpenAPI(OpenAPI document) {
    if (document.getPaths() == null || document.getPaths().getPathItems() == null) {
      return;
    }
    Map<String, PathItem> byPath =
        document.getPaths().getPathItems().entrySet().stream()
            .collect(
                Collectors.toMap(
                    item -> ResourcePaths.normal(item.getKey()), Map.Entry::getValue, (a, b) -> a));
    ResourcePaths paths = new ResourcePaths(index, ConfigProvider.getConfig());
    OpenApiParts parts = new OpenApiParts(document);
    Set<Endpoint> described = new HashSet<>(); // the index may know a class twice
    index.getAnnotations(IDEMPOTENT).stream()
        .flatMap(OpenApiGuard::guarded)
        .forEach(
            method ->
                paths.of(method).stream()
                    .filter(described::add)
                    .flatMap(endpoint -> operation(byPath, endpoint).stream())
                    .forEach(operation -> parts.describe(operation, policy(method))));
  }

  /** The methods that an annotation guards. */
  private static Stream<MethodInfo> guarded(AnnotationInstance annotation) {
    return switch (annotation.target().kind()) {
      case METHOD -> Stream.of(annotation.target().asMethod());
      case CLASS ->
          annotation.target().asClass().methods().stream()
              .filter(method -> !method.hasDeclaredAnnotation(IDEMPOTENT));
      default -> Stream.empty();
    };
  }

  private static OpenApiPolicy policy(MethodInfo method) {
    AnnotationTarget annotated =
        method.hasDeclaredAnnotation(IDEMPOTENT) ? method : method.declaringClass();
    return OpenApiPolicy.annotated(annotated.declaredAnnotation(IDEMPOTENT), method);
  }

  /** Empty for what the document leaves out: what is hidden, and verbs that OpenAPI has not got. */
  private static Optional<Operation> operation(Map<String, PathItem> byPath, Endpoint endpoint) {
    return Stream.ofNullable(byPath.get(endpoint.path()))
        .flatMap(item -> item.getOperations().entrySet().stream())
        .filter(operation -> operation.getKey().name().equals(endpoint.verb()))
        .map(Map.Entry::getValue)
        .findFirst();
  }
}
