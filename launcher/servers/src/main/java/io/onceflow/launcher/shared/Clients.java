package io.onceflow.launcher.shared;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/**
 * The processes that use the servers: a file each, named by its process id. One process at a time
 * has a look, and holds the lock until it is closed; the system frees it with the process.
 *
 * @param folder of the files
 * @param lock the file that is locked
 */
record Clients(Path folder, FileChannel lock) implements AutoCloseable {

  private static final Duration LOOK_EVERY = Duration.ofSeconds(1);

  /** Waits for the lock. */
  static Clients lock(Path home) throws IOException {
    Path folder = Files.createDirectories(home.resolve("clients"));
    FileChannel file =
        FileChannel.open(home.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    file.lock();
    return new Clients(folder, file);
  }

  /** Returns when no client runs any more; none can register until the lock is closed. */
  static Clients awaitNone(Path home) throws IOException, InterruptedException {
    while (true) {
      Clients clients = lock(home);
      if (clients.isEmpty()) {
        return clients;
      }
      clients.close();
      Thread.sleep(LOOK_EVERY);
    }
  }

  void register(ProcessHandle client) throws IOException {
    Files.writeString(folder.resolve(Long.toString(client.pid())), "");
  }

  private boolean isEmpty() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      List<Path> clients = files.toList();
      for (Path client : clients) {
        if (!runs(client)) {
          Files.delete(client);
        }
      }
      return clients.stream().noneMatch(Files::exists);
    }
  }

  private static boolean runs(Path client) {
    return ProcessHandle.of(Long.parseLong(client.getFileName().toString())).isPresent();
  }

  @Override
  public void close() throws IOException {
    lock.close();
  }
}
