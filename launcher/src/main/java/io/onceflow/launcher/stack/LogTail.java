package io.onceflow.launcher.stack;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The end of a log, which shows why a process failed. */
final class LogTail {

  /** Enough to hold a stack trace's first cause. */
  private static final int LINES = 25;

  private LogTail() {}

  /** Returns the last lines, indented; what is not UTF-8 shows as a question mark. */
  static String of(Path log) {
    try {
      String text = new String(Files.readAllBytes(log), StandardCharsets.UTF_8);
      List<String> lines = text.lines().toList();
      List<String> last = lines.subList(Math.max(0, lines.size() - LINES), lines.size());
      return String.join("\n", last).indent(4).stripTrailing();
    } catch (IOException e) {
      return "    (cannot be read: %s)".formatted(e.getMessage());
    }
  }
}
