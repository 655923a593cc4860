package io.onceflow.web.internal.logging;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.jboss.logmanager.ExtLogRecord;
import org.jboss.logmanager.Level;
import org.jboss.logmanager.formatters.PatternFormatter;
import org.junit.jupiter.api.Test;

/** A line of the log stays one line, whatever a sender or a caller has written into it. */
class PrintableLinesTest {

  private static final String FORGED = "x\n04:00:00 INFO  Audit  olga\u001b[2J\u202e\u0085";

  private final PatternFormatter formatter = new PatternFormatter("%p %s%e%n");

  @Test
  void aLineBreakInAParameterForgesNoLine() {
    assertThat(shown(line("parked %s", FORGED)).lines()).hasSize(1);
    assertThat(shown(line("parked %s", FORGED)))
        .isEqualToIgnoringNewLines(
            "WARN parked x\\n04:00:00 INFO  Audit  olga\\u001b[2J\\u202e\\u0085");
  }

  @Test
  void aLineThatCanBePrintedIsLeftAsItIs() {
    ExtLogRecord line = line("saga %s: Zoë's order, 100 %% done", "0199c3");
    assertThat(shown(line)).isEqualToIgnoringNewLines("WARN saga 0199c3: Zoë's order, 100 % done");
  }

  @Test
  void whatAFailureSaysForgesNoLineEither() {
    ExtLogRecord line = line("failed %s", "once");
    Exception cause = new IllegalStateException(FORGED);
    cause.addSuppressed(new IllegalArgumentException(FORGED));
    line.setThrown(new RuntimeException("outer", cause));
    String trace = shown(line);
    assertThat(trace.lines()).noneMatch(it -> it.startsWith("04:00:00"));
    assertThat(trace)
        .contains("java.lang.RuntimeException: outer")
        .contains("Caused by: java.lang.IllegalStateException: x\\n04:00:00")
        .contains("Suppressed: java.lang.IllegalArgumentException: x\\n")
        .contains("PrintableLinesTest.whatAFailureSaysForgesNoLineEither");
  }

  @Test
  void aFailureThatCausesItselfIsShown() {
    Exception first = new IllegalStateException(FORGED);
    Exception second = new IllegalStateException("second", first);
    first.initCause(second);
    StringWriter trace = new StringWriter();
    PrintableFailure.of(first).printStackTrace(new PrintWriter(trace));
    assertThat(trace.toString()).contains("Caused by: java.lang.IllegalStateException: second");
  }

  private String shown(ExtLogRecord line) {
    assertThat(new PrintableLines().isLoggable(line)).isTrue();
    return formatter.format(line);
  }

  private static ExtLogRecord line(String format, Object... parameters) {
    ExtLogRecord line =
        new ExtLogRecord(Level.WARN, format, ExtLogRecord.FormatStyle.PRINTF, "logger");
    line.setParameters(parameters);
    return line;
  }
}
