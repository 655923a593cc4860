package io.onceflow.launcher.shared;

import java.io.IOException;
import java.io.Reader;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Optional;
import java.util.Properties;

/**
 * The file by which the servers are found, while they run.
 *
 * @param home the servers' folder
 */
record ServersFile(Path home) {

  private static final String PROCESS = "process";
  private static final String STARTED = "started";
  private static final String POSTGRES = "postgres-port";
  private static final String BROKER = "broker-port";

  /** The servers; empty when they do not run, even if the file names them. */
  Optional<SharedServers> read() throws IOException {
    if (!Files.exists(file())) {
      return Optional.empty();
    }
    Properties values = new Properties();
    try (Reader reader = Files.newBufferedReader(file())) {
      values.load(reader);
    }
    return ProcessHandle.of(Long.parseLong(values.getProperty(PROCESS)))
        .filter(process -> started(process).equals(values.getProperty(STARTED)))
        .map(
            process ->
                new SharedServers(
                    process,
                    Integer.parseInt(values.getProperty(POSTGRES)),
                    Integer.parseInt(values.getProperty(BROKER)),
                    home));
  }

  /** The file is there as a whole or not at all. */
  void write(SharedServers servers) throws IOException {
    Properties values = new Properties();
    values.setProperty(PROCESS, Long.toString(servers.process().pid()));
    values.setProperty(STARTED, started(servers.process()));
    values.setProperty(POSTGRES, Integer.toString(servers.postgresPort()));
    values.setProperty(BROKER, Integer.toString(servers.brokerPort()));
    Path unfinished = home.resolve("servers.unfinished");
    try (Writer writer = Files.newBufferedWriter(unfinished)) {
      values.store(writer, null);
    }
    Files.move(unfinished, file(), StandardCopyOption.ATOMIC_MOVE);
  }

  void delete() throws IOException {
    Files.deleteIfExists(file());
  }

  /** Process ids are used again; the start time distinguishes two processes with the same id. */
  private static String started(ProcessHandle process) {
    return process.info().startInstant().map(Object::toString).orElse("");
  }

  private Path file() {
    return home.resolve("servers.properties");
  }
}
