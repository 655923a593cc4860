package io.onceflow.idempotency.internal.openapi;

import jakarta.ws.rs.ApplicationPath;
import jakarta.ws.rs.HttpMethod;
import jakarta.ws.rs.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.eclipse.microprofile.config.Config;
import org.jboss.jandex.AnnotationInstance;
import org.jboss.jandex.AnnotationTarget;
import org.jboss.jandex.ClassInfo;
import org.jboss.jandex.DotName;
import org.jboss.jandex.IndexView;
import org.jboss.jandex.MethodInfo;

/**
 * Where the methods of JAX-RS resources are found: verb and path, worked out from their annotations
 * as an OpenAPI document has them. Knows paths of classes, of methods, of interfaces and
 * superclasses, of sub-resource locators and of the application.
 */
final class ResourcePaths {

  private static final DotName PATH = DotName.createSimple(Path.class);
  private static final DotName APPLICATION_PATH = DotName.createSimple(ApplicationPath.class);
  private static final DotName HTTP_METHOD = DotName.createSimple(HttpMethod.class);

  /** Those of JAX-RS itself, whose own annotations need not be in the index. */
  private static final Map<DotName, String> VERBS =
      Stream.of("GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS")
          .collect(
              Collectors.toMap(
                  verb -> DotName.createSimple("jakarta.ws.rs." + verb), verb -> verb));

  private final IndexView index;
  private final String application;

  /**
   * Where a method is found.
   *
   * @param verb in capitals
   * @param path from the root of the server, with templates in their short form: {@code
   *     /orders/{id}}
   */
  record Endpoint(String verb, String path) {}

  /**
   * @param config tells the paths of server and application, as the application is built with
   */
  ResourcePaths(IndexView index, Config config) {
    this.index = index;
    this.application =
        config.getOptionalValue("quarkus.http.root-path", String.class).orElse("")
            + "/"
            + index.getAnnotations(APPLICATION_PATH).stream()
                .findFirst()
                .map(annotation -> annotation.value().asString())
                .or(() -> config.getOptionalValue("quarkus.rest.path", String.class))
                .orElse("");
  }

  /** Everywhere the method answers; empty when it is no resource method. */
  List<Endpoint> of(MethodInfo method) {
    Optional<MethodInfo> annotated =
        inheritance(method).filter(m -> verb(m).isPresent()).findFirst();
    if (annotated.isEmpty()) {
      return List.of();
    }
    String verb = verb(annotated.get()).orElseThrow();
    String path = path(annotated.get()).orElse("");
    return withSubclasses(method.declaringClass())
        .flatMap(resource -> roots(resource, new HashSet<>()).stream())
        .distinct()
        .map(root -> new Endpoint(verb, normal(root + "/" + path)))
        .toList();
  }

  /** Without patterns, double and trailing slashes: the form in which paths are compared. */
  static String normal(String path) {
    return Stream.of(withoutPatterns(path).split("/"))
        .filter(segment -> !segment.isEmpty())
        .collect(Collectors.joining("/", "/", ""));
  }

  private static String withoutPatterns(String path) {
    StringBuilder plain = new StringBuilder();
    int depth = 0;
    boolean inPattern = false;
    for (char c : path.toCharArray()) {
      depth += c == '{' ? 1 : 0;
      inPattern |= depth == 1 && c == ':';
      if (!inPattern && c != ' ' || depth == 1 && c == '}') {
        plain.append(c);
      }
      depth -= c == '}' ? 1 : 0;
      inPattern &= depth > 0;
    }
    return plain.toString();
  }

  /** Where the methods of a class begin; more than one for a sub-resource of many. */
  private List<String> roots(ClassInfo resource, Set<DotName> seen) {
    Optional<String> own = supertypes(resource).flatMap(type -> path(type).stream()).findFirst();
    if (own.isPresent()) {
      return List.of(application + "/" + own.get());
    }
    if (!seen.add(resource.name())) {
      return List.of();
    }
    Set<DotName> names = supertypes(resource).map(ClassInfo::name).collect(Collectors.toSet());
    List<String> roots = new ArrayList<>();
    for (MethodInfo locator : locators(names)) {
      for (String root : roots(locator.declaringClass(), seen)) {
        roots.add(root + "/" + path(locator).orElseThrow());
      }
    }
    return roots;
  }

  private List<MethodInfo> locators(Set<DotName> returned) {
    return index.getAnnotations(PATH).stream()
        .map(AnnotationInstance::target)
        .filter(target -> target.kind() == AnnotationTarget.Kind.METHOD)
        .map(AnnotationTarget::asMethod)
        .filter(method -> returned.contains(method.returnType().name()) && verb(method).isEmpty())
        .toList();
  }

  private Stream<ClassInfo> withSubclasses(ClassInfo type) {
    return Stream.concat(Stream.of(type), index.getAllKnownSubclasses(type.name()).stream());
  }

  /** The method and those that it overrides: JAX-RS annotations may stand on any of them. */
  private Stream<MethodInfo> inheritance(MethodInfo method) {
    return supertypes(method.declaringClass())
        .map(type -> type.method(method.name(), method.parameterTypes()))
        .filter(overridden -> overridden != null);
  }

  /** The class, its superclasses, and the interfaces of all of them. */
  private Stream<ClassInfo> supertypes(ClassInfo type) {
    return Stream.concat(
        Stream.of(type),
        Stream.concat(Stream.ofNullable(type.superName()), type.interfaceNames().stream())
            .map(index::getClassByName)
            .filter(known -> known != null)
            .flatMap(this::supertypes));
  }

  private Optional<String> verb(MethodInfo method) {
    return method.annotations().stream()
        .filter(annotation -> annotation.target().kind() == AnnotationTarget.Kind.METHOD)
        .flatMap(annotation -> verb(annotation.name()).stream())
        .findFirst();
  }

  private Optional<String> verb(DotName annotation) {
    return Optional.ofNullable(VERBS.get(annotation))
        .or(
            () ->
                Optional.ofNullable(index.getClassByName(annotation))
                    .map(type -> type.declaredAnnotation(HTTP_METHOD))
                    .map(meta -> meta.value().asString()));
  }

  private static Optional<String> path(ClassInfo type) {
    return Optional.ofNullable(type.declaredAnnotation(PATH)).map(path -> path.value().asString());
  }

  private static Optional<String> path(MethodInfo method) {
    return Optional.ofNullable(method.annotation(PATH)).map(path -> path.value().asString());
  }
}
