package io.onceflow.benchmarks.cost;

/**
 * A line of {@code /proc/PID/stat}.
 *
 * @param pid the process
 * @param parent its parent
 * @param ticks processor time of the process and of its ended children, in hundredths of a second
 */
record ProcessLine(long pid, long parent, long ticks) {

  private static final int PARENT = 1;
  private static final int FIRST_TIME = 11;
  private static final int LAST_TIME = 14;

  /** Reads it. The name in parentheses may hold anything, parentheses too. */
  static ProcessLine parse(String stat) {
    String[] fields = stat.substring(stat.lastIndexOf(')') + 2).strip().split(" ");
    long ticks = 0;
    for (int i = FIRST_TIME; i <= LAST_TIME; i++) {
      ticks += Long.parseLong(fields[i]);
    }
    long pid = Long.parseLong(stat.substring(0, stat.indexOf(' ')));
    return new ProcessLine(pid, Long.parseLong(fields[PARENT]), ticks);
  }
}
