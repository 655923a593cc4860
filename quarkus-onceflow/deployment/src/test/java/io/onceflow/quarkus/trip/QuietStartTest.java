package io.onceflow.quarkus.trip;

import static org.assertj.core.api.Assertions.assertThat;

import io.quarkus.test.QuarkusUnitTest;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * A start in normal order has nothing to warn of. Before, Quarkus missed the superclass of a class
 * of tokens in applications without any, and Micrometer a name of a gauge's own.
 */
class QuietStartTest {

  @RegisterExtension
  static final QuarkusUnitTest APPLICATION =
      new QuarkusUnitTest()
          .overrideConfigKey("quarkus.application.name", "quiet")
          .overrideConfigKey("onceflow.devservices.containers", "false")
          .withApplicationRoot(jar -> jar.addClasses(Airline.class, Flights.class, Messages.class))
          .setLogRecordPredicate(record -> record.getLevel().intValue() >= Level.WARNING.intValue())
          .assertLogRecords(
              records -> assertThat(records).extracting(QuietStartTest::text).isEmpty());

  private static String text(LogRecord warning) {
    return warning.getLoggerName() + ": " + warning.getMessage();
  }

  @Test
  void logsNoWarning() {}
}
