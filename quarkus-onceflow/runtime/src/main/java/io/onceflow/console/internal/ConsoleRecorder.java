package io.onceflow.console.internal;

import io.quarkus.runtime.annotations.Recorder;
import io.vertx.core.Handler;
import io.vertx.core.buffer.Buffer;
import io.vertx.ext.web.RoutingContext;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Reads the console's files when the application starts, or when its native image is built. */
@Recorder
public class ConsoleRecorder {

  private static final String FOLDER = "META-INF/onceflow-console/";

  /** As the page names its files; the application may be below another root. */
  private static final String WRITTEN_AS = "\"/console/";

  /**
   * The handler of all addresses of the console.
   *
   * @param paths of its files, below their folder
   * @param console its address, with a slash at its end
   */
  public Handler<RoutingContext> handler(List<String> paths, String console) {
    return new ConsoleHandler(
        paths.stream().collect(Collectors.toMap(Function.identity(), path -> read(path, console))),
        console);
  }

  private static Buffer read(String path, String console) {
    ClassLoader loader = Thread.currentThread().getContextClassLoader();
    try (InputStream in = loader.getResourceAsStream(FOLDER + path)) {
      if (in == null) {
        throw new IllegalStateException("The console lacks its file " + path);
      }
      Buffer file = Buffer.buffer(in.readAllBytes());
      return path.equals(ConsoleHandler.INDEX)
          ? Buffer.buffer(file.toString().replace(WRITTEN_AS, '"' + console))
          : file;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
