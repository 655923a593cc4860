package io.onceflow.launcher.operators;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Where the parked messages of a service are asked for: of the local stack at the service itself,
 * elsewhere through the orchestrator, which knows the services by name.
 */
final class ParkedPath {

  private static final String OWN = "/parked-messages";

  private ParkedPath() {}

  static OperatorApi api(Server server, @Nullable String service)
      throws IOException, InterruptedException {
    return server.isElsewhere() || service == null
        ? server.orchestrator()
        : server.ofStack(service);
  }

  static String of(Server server, @Nullable String service) {
    return server.isElsewhere() && service != null
        ? "/sagas/services/" + Query.encoded(service) + OWN
        : OWN;
  }
}
