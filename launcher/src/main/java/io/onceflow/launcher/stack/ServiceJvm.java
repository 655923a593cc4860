package io.onceflow.launcher.stack;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/** The options of the JVMs that run the sample services on one machine. */
public final class ServiceJvm {

  /**
   * A heap for thousands of sagas in flight: three of these and a build fit into a small laptop. So
   * small a heap is cleared as fast by one thread as by several that take processors from each
   * other, and without the barriers of G1; containers have the same collector.
   */
  private static final List<String> USUAL = List.of("-Xmx256m", "-XX:+UseSerialGC");

  /**
   * Names more options, such as {@code -Xlog:gc}, separated by blanks. They come after the usual
   * ones, so they override them; {@code {service}} in them is the service's name.
   */
  private static final String MORE = "ONCEFLOW_JAVA_OPTIONS";

  private ServiceJvm() {}

  /** The options of a service's JVM: the usual ones, then those of the environment. */
  public static List<String> options(String service) {
    return options(service, System.getenv().getOrDefault(MORE, ""));
  }

  static List<String> options(String service, String more) {
    Stream<String> ofUser =
        Arrays.stream(more.strip().split("\\s+"))
            .filter(option -> !option.isEmpty())
            .map(option -> option.replace("{service}", service));
    return Stream.concat(USUAL.stream(), ofUser).toList();
  }
}
