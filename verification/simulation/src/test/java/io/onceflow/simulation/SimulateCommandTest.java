package io.onceflow.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("./onceflow chaos")
class SimulateCommandTest {

  private final StringWriter out = new StringWriter();

  @Test
  void saysThatAllIsWell() {
    assertThat(run("--simulate", "--seeds", "20", "--from", "1000")).isZero();
    assertThat(out).asString().contains("0 of 20 seeds break an invariant.");
  }

  @Test
  void tellsASeedStepByStep() {
    assertThat(run("--simulate", "--seed", "1", "--trace")).isZero();
    assertThat(out).asString().contains("POST /orders").contains("seed 1: no problems found");
  }

  @Test
  void showsWhatAMissingRuleLeadsTo() {
    int exit = run("--simulate", "--without", "a_compensation_never_misses", "--trace");
    assertThat(exit).isEqualTo(1);
    assertThat(out).asString().contains("INVARIANT").contains("VIOLATED");
  }

  @Test
  void wantsToBeToldToSimulate() {
    assertThat(run("--seeds", "1")).isEqualTo(2);
  }

  private int run(String... arguments) {
    PrintWriter writer = new PrintWriter(out);
    return SimulateCommand.commandLine().setOut(writer).setErr(writer).execute(arguments);
  }
}
