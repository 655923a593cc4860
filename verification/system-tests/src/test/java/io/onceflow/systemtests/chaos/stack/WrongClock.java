package io.onceflow.systemtests.chaos.stack;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Clocks of processes that are wrong, by libfaketime where this machine has it. Only the time of
 * day is: what measures how long something takes goes on as it should.
 */
public final class WrongClock {

  private static final String WRONG_BY = "30s";

  /** Where distributions keep it, and where a variable may say that it is. */
  private static final List<String> PLACES =
      List.of(
          System.getenv().getOrDefault("ONCEFLOW_FAKETIME", ""),
          "/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1",
          "/usr/lib/aarch64-linux-gnu/faketime/libfaketime.so.1",
          "/usr/lib64/faketime/libfaketime.so.1",
          "/usr/lib/faketime/libfaketime.so.1");

  private WrongClock() {}

  /** Whether clocks can be moved here. */
  public static boolean isPossible() {
    return library().isPresent();
  }

  private static Optional<String> library() {
    return PLACES.stream().filter(it -> !it.isEmpty() && Files.exists(Path.of(it))).findFirst();
  }

  /** What a process is started with so that its clock is wrong; nothing where that cannot be. */
  public static Map<String, String> environment(boolean isFast) {
    return library()
        .map(
            it ->
                Map.of(
                    "LD_PRELOAD",
                    it,
                    "FAKETIME",
                    (isFast ? "+" : "-") + WRONG_BY,
                    "FAKETIME_DONT_FAKE_MONOTONIC",
                    "1",
                    // Or every wait of the JVM ends at once, and it takes all the cores
                    // (https://github.com/wolfcw/libfaketime/issues/425).
                    "FAKETIME_FORCE_MONOTONIC_FIX",
                    "0",
                    // Or the jars would seem to be others than those that its archive was made of.
                    "NO_FAKE_STAT",
                    "1"))
        .orElse(Map.of());
  }
}
