package io.onceflow.redis.internal;

import io.onceflow.idempotency.testing.TestAuthority;
import io.quarkus.test.common.QuarkusTestResourceLifecycleManager;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/**
 * Two servers that speak TLS alone: the service's, and one whose certificate another authority has
 * signed. The clients {@code misnamed} and {@code stranger} are set up as the service's own; {@code
 * acquainted} trusts the other authority.
 */
public final class RedisTlsServers implements QuarkusTestResourceLifecycleManager {

  private static final TestAuthority AUTHORITY = new TestAuthority("Onceflow tests");
  private static final TestAuthority OTHER = new TestAuthority("Another authority");

  private ScriptedRedis own;
  private ScriptedRedis foreign;

  @Override
  public Map<String, String> start() {
    try {
      Path folder = Files.createTempDirectory("redis-tls");
      own = new ScriptedRedis(Files.createDirectory(folder.resolve("own")), AUTHORITY);
      foreign = new ScriptedRedis(Files.createDirectory(folder.resolve("foreign")), OTHER);
      return configuration(
          AUTHORITY.writeTo(folder.resolve("ca.crt")), OTHER.writeTo(folder.resolve("other.crt")));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Map<String, String> configuration(Path ca, Path otherCa) {
    Map<String, String> configuration = new HashMap<>();
    configuration.put("quarkus.tls.redis.trust-store.pem.certs", ca.toString());
    configuration.put("quarkus.tls.other.trust-store.pem.certs", otherCa.toString());
    configuration.put("quarkus.tls.other.hostname-verification-algorithm", "HTTPS");
    client(configuration, "", "localhost:" + own.port(), "redis");
    // The same server: its certificate holds no address.
    client(configuration, "misnamed.", "127.0.0.1:" + own.port(), "redis");
    client(configuration, "stranger.", "localhost:" + foreign.port(), "redis");
    client(configuration, "acquainted.", "localhost:" + foreign.port(), "other");
    return configuration;
  }

  private static void client(
      Map<String, String> configuration, String name, String server, String tls) {
    configuration.put("quarkus.redis." + name + "hosts", "rediss://" + server);
    configuration.put("quarkus.redis." + name + "password", ScriptedRedis.PASSWORD);
    configuration.put("quarkus.redis." + name + "tls-configuration-name", tls);
  }

  @Override
  public void stop() {
    if (own != null) {
      own.close();
    }
    if (foreign != null) {
      foreign.close();
    }
  }
}
