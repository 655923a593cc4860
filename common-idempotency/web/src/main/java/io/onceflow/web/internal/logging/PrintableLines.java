package io.onceflow.web.internal.logging;

import io.onceflow.core.internal.Printable;
import io.quarkus.logging.LoggingFilter;
import java.util.logging.Filter;
import java.util.logging.LogRecord;
import org.jboss.logmanager.ExtFormatter;
import org.jboss.logmanager.ExtLogRecord;
import org.jboss.logmanager.formatters.PatternFormatter;

/**
 * Escapes control and format characters in every line of the console's log: a message's type or a
 * caller's name with a line break cannot forge a line. Never drops a line.
 */
@LoggingFilter(name = "printable")
public final class PrintableLines implements Filter {

  private static final ExtFormatter MESSAGES = new PatternFormatter("%s");

  @Override
  public boolean isLoggable(LogRecord record) {
    if (record instanceof ExtLogRecord line) {
      escapeMessage(line);
    }
    if (record.getThrown() != null && !PrintableFailure.isPrintable(record.getThrown())) {
      record.setThrown(PrintableFailure.of(record.getThrown()));
    }
    return true;
  }

  private static void escapeMessage(ExtLogRecord line) {
    String message = MESSAGES.formatMessage(line);
    if (message != null && !Printable.is(message)) {
      line.setMessage(Printable.escape(message), ExtLogRecord.FormatStyle.NO_FORMAT);
      line.setParameters(null);
    }
  }
}
