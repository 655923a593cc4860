package io.onceflow.idempotency.internal.problem;

import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.eclipse.microprofile.config.Config;
import org.eclipse.microprofile.config.ConfigProvider;

/** Where the application's resources are: an application may be below a path of its own. */
public final class RootPath {

  private RootPath() {}

  /**
   * The address of a resource from the server's root, as a client has to ask for it.
   *
   * @param path as {@code @Path} has it, with a slash at its beginning
   */
  public static String resolve(String path) {
    Config config = ConfigProvider.getConfig();
    String root = config.getOptionalValue("quarkus.http.root-path", String.class).orElse("");
    String application = config.getOptionalValue("quarkus.rest.path", String.class).orElse("");
    return Stream.of((root + "/" + application + path).split("/"))
        .filter(segment -> !segment.isEmpty())
        .collect(Collectors.joining("/", "/", ""));
  }
}
