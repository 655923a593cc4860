package io.onceflow.systemtests;

import static io.restassured.RestAssured.given;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What a service can be asked for, from two sources: what its OpenAPI document says, and what its
 * classes are annotated with, since an endpoint may be hidden from the document.
 */
final class Endpoints {

  private static final String PATH = "jakarta.ws.rs.Path";
  private static final String HTTP_METHOD = "jakarta.ws.rs.HttpMethod";
  private static final Set<String> METHODS =
      Set.of("get", "put", "post", "delete", "options", "head", "patch", "trace");

  private Endpoints() {}

  /** Sorted by their text. */
  static Set<Endpoint> of(ServiceProcess service) {
    return Stream.concat(described(service), declared(service.name()))
        .collect(
            Collectors.toCollection(() -> new TreeSet<>(Comparator.comparing(Endpoint::toString))));
  }

  /** Those in the document that the service serves. */
  static Stream<Endpoint> described(ServiceProcess service) {
    Map<String, Map<String, Object>> paths =
        given().get(service.url() + "/openapi?format=json").jsonPath().getMap("paths");
    return paths.entrySet().stream()
        .flatMap(
            path ->
                path.getValue().keySet().stream()
                    .filter(METHODS::contains)
                    .map(method -> method.toUpperCase(Locale.ROOT))
                    .map(method -> Endpoint.of(service.name(), method, path.getKey())));
  }

  /** Those of the resource classes in the service's jars. */
  private static Stream<Endpoint> declared(String service) {
    try (URLClassLoader classes =
        new URLClassLoader(urls(service), ClassLoader.getPlatformClassLoader())) {
      return Project.classPath(service).stream()
          .filter(jar -> jar.getFileName().toString().contains("onceflow") || isOwn(jar))
          .flatMap(Endpoints::resources)
          .flatMap(name -> declared(service, load(classes, name)))
          .toList()
          .stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean isOwn(Path jar) {
    return jar.getParent().getFileName().toString().equals("app");
  }

  /** The names of the classes that mention JAX-RS' Path. */
  private static Stream<String> resources(Path path) {
    try (JarFile jar = new JarFile(path.toFile())) {
      return jar.stream()
          .filter(entry -> entry.getName().endsWith(".class") && mentionsPath(jar, entry))
          .map(entry -> entry.getName().replace(".class", "").replace('/', '.'))
          .toList()
          .stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean mentionsPath(JarFile jar, JarEntry entry) {
    try (var bytes = jar.getInputStream(entry)) {
      return new String(bytes.readAllBytes(), StandardCharsets.ISO_8859_1)
          .contains("Ljakarta/ws/rs/Path;");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Stream<Endpoint> declared(String service, Class<?> resource) {
    Optional<String> root = value(resource, PATH);
    if (root.isEmpty() || resource.isInterface()) {
      return Stream.empty();
    }
    return Arrays.stream(resource.getDeclaredMethods())
        .flatMap(
            method ->
                httpMethod(method)
                    .map(http -> Endpoint.of(service, http, root.get() + "/" + below(method)))
                    .stream());
  }

  private static String below(Method method) {
    return value(method, PATH).orElse("");
  }

  private static Optional<String> httpMethod(Method method) {
    return Arrays.stream(method.getAnnotations())
        .map(Annotation::annotationType)
        .map(type -> value(type, HTTP_METHOD))
        .flatMap(Optional::stream)
        .findAny();
  }

  /** What an annotation says, which this JVM knows by its name only. */
  private static Optional<String> value(AnnotatedElement on, String annotation) {
    return Arrays.stream(on.getAnnotations())
        .filter(found -> found.annotationType().getName().equals(annotation))
        .findAny()
        .map(reading("value"));
  }

  private static Function<Annotation, String> reading(String member) {
    return annotation -> {
      try {
        Method value = annotation.annotationType().getMethod(member);
        return String.valueOf(value.invoke(annotation));
      } catch (ReflectiveOperationException e) {
        throw new IllegalStateException("%s cannot be read".formatted(annotation), e);
      }
    };
  }

  private static Class<?> load(ClassLoader classes, String name) {
    try {
      return classes.loadClass(name);
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException("A class that is in the jar is not found: " + name, e);
    }
  }

  private static URL[] urls(String service) {
    return Project.classPath(service).stream().map(Endpoints::url).toArray(URL[]::new);
  }

  private static URL url(Path jar) {
    try {
      return jar.toUri().toURL();
    } catch (MalformedURLException e) {
      throw new IllegalStateException("A file has no URL: " + jar, e);
    }
  }
}
