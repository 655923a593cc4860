package io.onceflow.launcher.shared;

import java.io.File;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Starts the servers' process.
 *
 * @param classPath what it runs
 */
record ServersStart(Path home, Collection<Path> classPath) {

  /** The first time PostgreSQL is unpacked and makes its data; the machine may be busy. */
  private static final Duration STARTUP_WAIT = Duration.ofMinutes(2);

  private static final Duration LOOK_EVERY = Duration.ofMillis(100);

  /** Returns when they accept connections. */
  SharedServers start(ServersFile file) throws IOException {
    file.delete();
    Path log = home.resolve("servers.log");
    Process process =
        new ProcessBuilder(command())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .redirectInput(Redirect.PIPE)
            .start();
    long giveUpAt = System.nanoTime() + STARTUP_WAIT.toNanos();
    Optional<SharedServers> servers = Optional.empty();
    while (servers.isEmpty() && process.isAlive() && System.nanoTime() - giveUpAt < 0) {
      LockSupport.parkNanos(LOOK_EVERY.toNanos());
      servers = file.read();
    }
    if (servers.isEmpty()) {
      process.destroy();
    }
    return servers.orElseThrow(
        () -> new IOException("PostgreSQL and the broker did not start; their log: " + log));
  }

  private List<String> command() throws IOException {
    List<String> command = new ArrayList<>();
    // A terminal that interrupts one application does not interrupt the servers of others.
    find("setsid").ifPresent(command::add);
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("@" + arguments());
    command.add(SharedServersProcess.class.getName());
    command.add(home.toString());
    return command;
  }

  /** In a file, since the class path may be longer than a command line. */
  private Path arguments() throws IOException {
    String path =
        classPath.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator));
    return Files.writeString(
        home.resolve("java.arguments"),
        """
        -XX:+UseSerialGC
        -XX:TieredStopAtLevel=1
        -Xmx128m
        -cp "%s"
        """
            .formatted(path.replace("\\", "\\\\")));
  }

  private static Optional<String> find(String program) {
    return Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
        .map(folder -> new File(folder, program))
        .filter(File::canExecute)
        .map(File::getPath)
        .findFirst();
  }
}
