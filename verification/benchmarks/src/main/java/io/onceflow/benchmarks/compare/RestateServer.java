package io.onceflow.benchmarks.compare;

import io.onceflow.benchmarks.machine.BenchProcess;
import io.onceflow.launcher.servers.Folders;
import io.onceflow.launcher.servers.FreePorts;
import io.onceflow.launcher.stack.Home;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Restate's server, installed by npm. Its data are deleted before it starts and when it ends. */
final class RestateServer implements AutoCloseable {

  private static final Duration INSTALL_WITHIN = Duration.ofMinutes(5);

  private final Path data;
  private final BenchProcess process;
  private final URI ingress = local(FreePorts.next());
  private final URI admin = local(FreePorts.next());
  private final URI fabric = local(FreePorts.next());
  private final HttpClient http = HttpClient.newHttpClient();

  private RestateServer(Path binary, Path data, Path log) throws IOException {
    this.data = data;
    Folders.delete(data);
    Files.createDirectories(data);
    process =
        BenchProcess.run(
            "its server",
            log,
            List.of(binary.toString(), "--no-logo", "--base-dir", data.toString()),
            Map.of(
                "DO_NOT_TRACK",
                "1",
                "RESTATE_LISTEN_MODE",
                "tcp",
                "RESTATE_LOG_FILTER",
                "warn",
                "RESTATE_BIND_ADDRESS",
                fabric.getAuthority(),
                "RESTATE_INGRESS__BIND_ADDRESS",
                ingress.getAuthority(),
                "RESTATE_ADMIN__BIND_ADDRESS",
                admin.getAuthority()));
  }

  private static URI local(int port) {
    return URI.create("http://127.0.0.1:" + port);
  }

  /**
   * Installs it if need be, starts it, and returns when it is ready.
   *
   * @param manifest the {@code package.json} that names its version
   */
  static RestateServer start(Home home, Path manifest) throws IOException, InterruptedException {
    Path log = home.log("bench-restate-server");
    RestateServer server =
        new RestateServer(
            install(home, manifest), home.state().resolve("bench").resolve("restate"), log);
    try {
      server.process.awaitReady(server.admin.resolve("/health"));
      server.process.awaitReady(server.ingress.resolve("/restate/health"));
      return server;
    } catch (IOException | InterruptedException e) {
      server.close();
      throw e;
    }
  }

  private static Path install(Home home, Path manifest) throws IOException, InterruptedException {
    Path folder = home.state().resolve("peers").resolve("restate");
    Path installed = folder.resolve("package.json");
    if (!Files.exists(installed) || Files.mismatch(installed, manifest) >= 0) {
      Folders.delete(folder);
      Files.createDirectories(folder);
      npm(folder, manifest, home.log("bench-npm"));
      Files.copy(manifest, installed, StandardCopyOption.REPLACE_EXISTING);
    }
    try (Stream<Path> files = Files.walk(folder.resolve("node_modules"))) {
      return files
          .filter(it -> it.endsWith("bin/restate-server") && Files.isRegularFile(it))
          .findFirst()
          .orElseThrow(() -> new IOException("npm has no restate-server for this machine"));
    }
  }

  private static void npm(Path folder, Path manifest, Path log)
      throws IOException, InterruptedException {
    Files.createDirectories(log.getParent());
    Path started = folder.resolve("npm");
    Files.createDirectories(started);
    Files.copy(manifest, started.resolve("package.json"));
    Process npm;
    try {
      npm =
          new ProcessBuilder("npm", "install", "--no-audit", "--no-fund", "--no-package-lock")
              .directory(started.toFile())
              .redirectErrorStream(true)
              .redirectOutput(log.toFile())
              .start();
    } catch (IOException e) {
      throw new IOException("npm, which installs its server, cannot be started", e);
    }
    if (!npm.waitFor(INSTALL_WITHIN.toSeconds(), TimeUnit.SECONDS) || npm.exitValue() != 0) {
      npm.destroyForcibly();
      throw new IOException("npm cannot install its server; log: " + log);
    }
    Files.move(started.resolve("node_modules"), folder.resolve("node_modules"));
    Folders.delete(started);
  }

  /** Makes the saga of a process known. */
  void register(URI services) throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(admin.resolve("/deployments"))
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString("{\"uri\":\"%s\"}".formatted(services)))
            .build();
    HttpResponse<String> response = http.send(request, BodyHandlers.ofString());
    if (response.statusCode() / 100 != 2) {
      throw new IOException("its server refuses the saga: " + response.body());
    }
  }

  URI ingress() {
    return ingress;
  }

  long pid() {
    return process.pid();
  }

  @Override
  public void close() {
    process.close();
    try {
      Folders.delete(data);
    } catch (IOException e) {
      throw new IllegalStateException("Its data cannot be deleted", e);
    }
  }
}
