package io.onceflow.benchmarks.transports;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.benchmarks.machine.BenchBackends;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class TransportsCommandTest {

  @Test
  void measuresAllThreeTimes() {
    TransportsPlan plan = plan("--stack=embedded");

    assertThat(plan.transports())
        .containsExactly(Transport.RABBITMQ, Transport.MESSAGING, Transport.KAFKA);
    assertThat(plan.rounds()).isEqualTo(3);
    assertThat(plan.each().length()).isEqualTo(Duration.ofSeconds(15));
    assertThat(plan.each().stack()).isEqualTo(BenchBackends.Kind.EMBEDDED);
  }

  @Test
  void measuresThoseThatAreAskedForEachOnce() {
    assertThat(plan("--stack=embedded", "--transport=kafka,rabbitmq, kafka").transports())
        .containsExactly(Transport.KAFKA, Transport.RABBITMQ);
  }

  @Test
  void aShortRunHasOneRound() {
    TransportsPlan plan = plan("--stack=docker", "--short");

    assertThat(plan.rounds()).isEqualTo(1);
    assertThat(plan.each().length()).isEqualTo(Duration.ofSeconds(5));
    assertThat(plan("--stack=docker", "--short", "--rounds=2").rounds()).isEqualTo(2);
  }

  @Test
  void refusesATransportThatThereIsNot() {
    StringWriter errors = new StringWriter();

    int exitCode =
        commandLine(new TransportsCommand())
            .setErr(new PrintWriter(errors, true))
            .execute("--stack=embedded", "--transport=rabbitmq,pulsar");

    assertThat(exitCode).isEqualTo(CommandLine.ExitCode.USAGE);
    assertThat(errors.toString()).contains("'pulsar' is none of rabbitmq, messaging, kafka, all");
  }

  private static TransportsPlan plan(String... arguments) {
    TransportsCommand command = new TransportsCommand();
    commandLine(command).parseArgs(arguments);
    return command.plan();
  }

  private static CommandLine commandLine(TransportsCommand command) {
    return new CommandLine(command).setCaseInsensitiveEnumValuesAllowed(true);
  }
}
