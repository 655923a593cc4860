package io.onceflow.console.internal;

import io.quarkus.runtime.annotations.Recorder;
import io.vertx.core.Handler;
import io.vertx.ext.web.RoutingContext;
import java.util.List;

/** Reads the console's files when the application starts, or when its native image is built. */
@Recorder
public class ConsoleRecorder {

  /**
   * The handler of all addresses of the console.
   *
   * @param paths of its files, below their folder
   * @param console its address, with a slash at its end
   */
  public Handler<RoutingContext> handler(List<String> paths, String console) {
    return new ConsoleHandler(ConsoleFiles.read(paths, console), console);
  }
}
