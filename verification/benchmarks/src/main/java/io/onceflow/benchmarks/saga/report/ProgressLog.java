package io.onceflow.benchmarks.saga.report;

import java.io.PrintWriter;
import java.util.Locale;

/** Tells what a benchmark is doing, apart from its report. */
public record ProgressLog(PrintWriter out) {

  public void say(String format, Object... arguments) {
    tell(String.format(Locale.ROOT, format, arguments));
  }

  public void tell(String line) {
    out.println(line);
    out.flush();
  }
}
