package io.onceflow.launcher.stack;

import java.io.PrintStream;
import java.time.Duration;
import java.util.Locale;

/** Prints what is being done and how long it took, a line at a time. */
public final class Progress {

  private final PrintStream out;
  private final long startedAtNanos = System.nanoTime();

  /** Tells it to the stream. */
  public Progress(PrintStream out) {
    this.out = out;
  }

  /** Says something. */
  public void say(String line) {
    out.println(line);
    out.flush();
  }

  /** Prints the output of another process, in whole lines or not. */
  void pass(String text) {
    out.print(text);
    out.flush();
  }

  /** Says that a part runs, where it is and how long that took since the beginning. */
  void ready(String part, String where) {
    say("  %-17s %-28s ready after %s".formatted(part, where, seconds(elapsed())));
  }

  /** Says what is still being waited for. */
  void waiting(String parts) {
    say("  ... waiting for %s, %s so far".formatted(parts, seconds(elapsed())));
  }

  private Duration elapsed() {
    return Duration.ofNanos(System.nanoTime() - startedAtNanos);
  }

  private static String seconds(Duration duration) {
    return String.format(Locale.ROOT, "%.1f s", duration.toMillis() / 1000.0);
  }
}
