package io.onceflow.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

class BenchCommandTest {

  @ParameterizedTest
  @CsvSource({
    "slow-outside, 20, 60",
    "overload, 20, 45",
    "timeline, 15, 90",
    "containers, 15, 90",
  })
  void helpNamesTheLengthsOfEachBenchmark(String benchmark, String seconds, String warmUp) {
    String help = BenchCommand.commandLine().getSubcommands().get(benchmark).getUsageMessage();

    assertThat(help)
        .containsPattern("--seconds=N\\s+The length of each run; " + seconds + " by default")
        .containsPattern("measured;\\s+" + warmUp + "\\s+by\\s+default");
  }

  @ParameterizedTest
  @CsvSource({
    "slow-outside, --rates=200 0",
    "slow-outside, --latency=-1",
    "overload, --seconds=0",
    "overload, --times=0",
    "timeline, --warm-up=0",
    "timeline, --alone=0",
    "timeline, --part=0",
    "held-snapshot, --minutes=0",
    "containers, --clients=0",
    "containers, --rounds=none",
    "transports, --rounds=0",
    "transports, --seconds=0",
    "compare, --warm-up=-1",
    "idempotency, --clients=1 0",
    "idempotency, --seconds=0",
  })
  void aNumberThatIsTooSmallIsAMistakeOfUse(String benchmark, String option) {
    StringWriter errors = new StringWriter();

    int exitCode =
        BenchCommand.commandLine()
            .setErr(new PrintWriter(errors, true))
            .execute(benchmark, option.replace(' ', ','));

    assertThat(exitCode).isEqualTo(CommandLine.ExitCode.USAGE);
    assertThat(errors.toString()).contains(option.substring(0, option.indexOf('=')));
  }
}
