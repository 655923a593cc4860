package io.onceflow.launcher.demo;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;

/** Prints each step of a story and compares it with the expected result. */
final class Teller {

  /** Enough of an answer to see what it is. */
  private static final int LONGEST_SEEN = 240;

  private final PrintStream out;
  private final List<String> disappointments = new ArrayList<>();
  private String story = "";

  Teller(PrintStream out) {
    this.out = out;
  }

  void begin(String title) {
    story = title;
    out.printf("%n%s%n", title);
  }

  /** Says what should be, and whether it is; if not, also what was seen. */
  void check(String what, boolean so, Object seen) {
    if (so) {
      out.println("  ok   " + what);
    } else {
      disappoint(what + ", but saw: " + shorten(seen.toString()));
    }
  }

  private static String shorten(String text) {
    return text.length() <= LONGEST_SEEN ? text : text.substring(0, LONGEST_SEEN) + "...";
  }

  /** Records that a result was not as expected. */
  void disappoint(String what) {
    out.println("  NOT  " + what);
    disappointments.add(story + ": " + what);
  }

  /** Shows something, a little further in. */
  void show(List<String> lines) {
    lines.forEach(line -> out.println("       " + line));
  }

  /**
   * Sums up.
   *
   * @return whether all results were as expected
   */
  boolean end() {
    if (disappointments.isEmpty()) {
      out.printf("%nAll four stories ended as expected.%n");
      return true;
    }
    out.printf("%nNot as told:%n");
    disappointments.forEach(line -> out.println("  - " + line));
    return false;
  }
}
