package io.onceflow.launcher.stack;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/** Lets one launcher at a time start and run a stack; the system frees it when that one ends. */
public final class LauncherLock implements AutoCloseable {

  private final FileChannel channel;

  private LauncherLock(FileChannel channel) {
    this.channel = channel;
  }

  /**
   * Takes the lock.
   *
   * @throws LaunchException if another launcher has it
   */
  public static LauncherLock take(Home home) throws IOException {
    Files.createDirectories(home.state());
    FileChannel channel =
        FileChannel.open(home.lockFile(), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    @Nullable FileLock lock = channel.tryLock();
    if (lock == null) {
      channel.close();
      throw new LaunchException(
          "Another launcher runs in this folder; wait for it, or stop it: ./onceflow down");
    }
    return new LauncherLock(channel);
  }

  /** Gives it back. */
  @Override
  public void close() throws IOException {
    channel.close();
  }
}
