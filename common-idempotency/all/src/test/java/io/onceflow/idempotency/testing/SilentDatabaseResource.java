package io.onceflow.idempotency.testing;

import io.onceflow.launcher.testing.ServersResource;
import io.quarkus.test.common.QuarkusTestResourceLifecycleManager;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The test servers, and a {@link SilentProxy} between the application and its database. */
public final class SilentDatabaseResource implements QuarkusTestResourceLifecycleManager {

  private static final String URL = "quarkus.datasource.jdbc.url";

  private static @Nullable SilentProxy proxy;

  /** The proxy in front of the database of the application that runs. */
  public static SilentProxy proxy() {
    SilentProxy running = proxy;
    if (running == null) {
      throw new IllegalStateException("no application runs with this resource");
    }
    return running;
  }

  @Override
  public Map<String, String> start() {
    ServersResource servers = new ServersResource();
    servers.init(Map.of("database", "orders"));
    Map<String, String> configuration = new HashMap<>(servers.start());
    String url = String.valueOf(configuration.get(URL));
    URI address = URI.create(url.substring("jdbc:".length()));
    try {
      proxy = new SilentProxy(address.getPort());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    configuration.put(URL, url.replace(address.getAuthority(), "localhost:" + proxy().port()));
    return configuration;
  }

  @Override
  public void stop() {
    try {
      proxy().close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
