package io.onceflow.idempotency.internal.openapi;

import io.onceflow.idempotency.Idempotent;
import io.quarkus.smallrye.openapi.OpenApiFilter;
import io.quarkus.smallrye.openapi.OpenApiFilter.RunStage;
import io.smallrye.openapi.model.Extensions;
import io.smallrye.openapi.runtime.util.JandexUtil;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.eclipse.microprofile.openapi.OASFilter;
import org.eclipse.microprofile.openapi.models.OpenAPI;
import org.jboss.jandex.AnnotationInstance;
import org.jboss.jandex.AnnotationTarget;
import org.jboss.jandex.ClassInfo;
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
    Map<String, Map<String, String>> policies = policies();
    OpenApiParts parts = new OpenApiParts(document);
    document.getPaths().getPathItems().values().stream()
        .flatMap(path -> path.getOperations().values().stream())
        .forEach(
            operation -> {
              Map<String, String> policy = policies.get(Extensions.getMethodRef(operation));
              if (policy != null) {
                parts.describe(operation, policy);
              }
            });
  }

  /** The policies of all guarded methods, by the references that operations have to them. */
  private Map<String, Map<String, String>> policies() {
    Map<String, Map<String, String>> policies = new HashMap<>();
    index.getAnnotations(IDEMPOTENT).stream()
        .flatMap(OpenApiGuard::guarded)
        .forEach(
            method ->
                references(method).forEach(reference -> policies.put(reference, policy(method))));
    return policies;
  }

  private static Stream<MethodInfo> guarded(AnnotationInstance annotation) {
    return switch (annotation.target().kind()) {
      case METHOD -> Stream.of(annotation.target().asMethod());
      case CLASS ->
          annotation.target().asClass().methods().stream()
              .filter(method -> !method.hasDeclaredAnnotation(IDEMPOTENT));
      default -> Stream.empty();
    };
  }

  private static Map<String, String> policy(MethodInfo method) {
    AnnotationTarget annotated =
        method.hasDeclaredAnnotation(IDEMPOTENT) ? method : method.declaringClass();
    return OpenApiPolicy.annotated(annotated.declaredAnnotation(IDEMPOTENT), method);
  }

  /**
   * An operation refers to a resource class and a method. The class may inherit the guarded method;
   * the JAX-RS annotations may be on a method that the guarded one overrides.
   */
  private Stream<String> references(MethodInfo guarded) {
    List<ClassInfo> types =
        Stream.concat(
                supertypes(guarded.declaringClass()),
                index.getAllKnownSubclasses(guarded.declaringClass().name()).stream())
            .toList();
    return supertypes(guarded.declaringClass())
        .map(type -> type.method(guarded.name(), guarded.parameterTypes()))
        .filter(Objects::nonNull)
        .flatMap(
            method ->
                types.stream().map(type -> JandexUtil.createUniqueMethodReference(type, method)));
  }

  /** The class, its superclasses, and the interfaces of all of them. */
  private Stream<ClassInfo> supertypes(ClassInfo type) {
    return Stream.concat(
        Stream.of(type),
        Stream.concat(Stream.ofNullable(type.superName()), type.interfaceNames().stream())
            .map(index::getClassByName)
            .filter(Objects::nonNull)
            .flatMap(this::supertypes));
  }
}
