package io.onceflow.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** What is said of an argument that is malformed. Nothing is started, and no API is asked. */
class ArgumentTypesTest {

  private final StringWriter errors = new StringWriter();
  private final CommandLine launcher = Main.commandLine().setErr(new PrintWriter(errors));

  @ParameterizedTest
  @CsvSource(
      delimiter = ':',
      quoteCharacter = '"',
      value = {
        "sagas show abc           : 'abc' is not a UUID",
        "sagas retry 7            : '7' is not a UUID",
        "sagas repair-status abc  : 'abc' is not a UUID",
        "parked redrive abc       : 'abc' is not a UUID",
        "sagas list --url a\\b    : 'a\\b' is not a URL",
        "sagas list --url a.b     : 'a.b' is not a URL",
        "demo --url ftp//a        : 'ftp//a' is not a URL",
        "demo --payment-url \\     : '\\' is not a URL",
        "token alice --ttl 6h     : '6h' is not a duration",
        "token alice --ttl -PT1H  : --ttl PT-1H",
        "token alice --ttl PT0S   : --ttl PT0S",
        "token alice --ttl PT25H  : --ttl PT25H",
        "up --postgres-port 65536 : '65536' is not a port from 1 to 65535",
        "demo --redis-port 0      : '0' is not a port from 1 to 65535",
        "up --broker-port x       : 'x' is not a port from 1 to 65535",
      })
  void isToldInASentenceWithoutTheNameOfAnException(String arguments, String told) {
    int exitCode = launcher.execute(arguments.split(" "));

    assertThat(exitCode).isNotZero();
    assertThat(errors.toString()).contains(told).doesNotContain("Exception");
  }
}
