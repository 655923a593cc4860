package io.onceflow.benchmarks.compare;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.benchmarks.machine.BenchBackends;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

class CompareCommandTest {

  @Test
  void comparesThoseThatAreAskedFor() {
    CompareCommand command = new CompareCommand();
    new CommandLine(command)
        .setCaseInsensitiveEnumValuesAllowed(true)
        .parseArgs("--peers=restate,onceflow,restate", "--seconds=2", "--stack=embedded");
    ComparePlan plan = command.plan();
    assertThat(plan.peers()).containsExactly(PeerName.RESTATE, PeerName.ONCEFLOW);
    assertThat(plan.length()).isEqualTo(Duration.ofSeconds(2));
    assertThat(plan.stack()).isEqualTo(BenchBackends.Kind.EMBEDDED);
    assertThat(plan.clients()).containsExactly(32, 128);
    assertThat(plan.rounds()).isEqualTo(3);
  }

  @ParameterizedTest
  @CsvSource({
    "--peers=camunda, 'camunda'",
    "--rounds=0, must be at least 1",
    "--clients=0, must be at least 1"
  })
  void refusesWhatItCannotDo(String option, String complaint) {
    StringWriter errors = new StringWriter();
    int exitCode =
        new CommandLine(new CompareCommand())
            .setCaseInsensitiveEnumValuesAllowed(true)
            .setErr(new PrintWriter(errors, true))
            .execute("--stack=embedded", option);
    assertThat(exitCode).isEqualTo(CommandLine.ExitCode.USAGE);
    assertThat(errors.toString()).contains(complaint.replace("'", ""));
  }
}
