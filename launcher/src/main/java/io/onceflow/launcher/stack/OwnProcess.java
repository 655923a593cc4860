package io.onceflow.launcher.stack;

import com.fasterxml.jackson.annotation.JsonIgnore;
import io.onceflow.launcher.servers.ProcessEnd;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * A process that a launcher started, to be found again by another one.
 *
 * @param name what it is
 * @param pid its number, which the system gives to another process some time after it has ended
 * @param startedAtMs when it started, in milliseconds since the epoch, which distinguishes the two
 */
public record OwnProcess(String name, long pid, long startedAtMs) {

  /**
   * How far two readings of one start may differ, since systems reckon it from a clock that is set.
   * No system hands a number out again that soon.
   */
  private static final long START_TOLERANCE_MS = 3_000;

  /** Notes a process that runs. */
  public static OwnProcess of(String name, ProcessHandle process) {
    long startedAtMs =
        process
            .info()
            .startInstant()
            .map(Instant::toEpochMilli)
            .orElseGet(System::currentTimeMillis);
    return new OwnProcess(name, process.pid(), startedAtMs);
  }

  /** Whether it still runs; a stranger that has its number now does not count. */
  @JsonIgnore
  public boolean isAlive() {
    return find().isPresent();
  }

  /** Asks it to end; does nothing if it has ended. */
  public void askToEnd() {
    find().ifPresent(ProcessHandle::destroy);
  }

  /**
   * Waits until it has ended and kills it if it has not within the grace.
   *
   * @return whether it ended without being killed
   */
  public boolean awaitEnd(Duration grace) {
    Optional<ProcessHandle> process = find();
    if (process.isEmpty() || ProcessEnd.await(process.get(), grace)) {
      return true;
    }
    process.get().destroyForcibly();
    ProcessEnd.await(process.get(), grace);
    return false;
  }

  private Optional<ProcessHandle> find() {
    return ProcessHandle.of(pid).filter(ProcessHandle::isAlive).filter(this::startedWhenOursDid);
  }

  private boolean startedWhenOursDid(ProcessHandle process) {
    return process
        .info()
        .startInstant()
        .map(start -> Math.abs(start.toEpochMilli() - startedAtMs) <= START_TOLERANCE_MS)
        .orElse(false);
  }
}
