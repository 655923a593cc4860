package io.onceflow.benchmarks.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class PeerNameTest {

  private static final Path MODULES = Path.of("peers");

  @Test
  void isFoundByItsKey() {
    assertThat(PeerName.of("restate")).isEqualTo(PeerName.RESTATE);
    assertThat(PeerName.of(" DBOS ")).isEqualTo(PeerName.DBOS);
  }

  @Test
  void tellsWhichThereAre() {
    assertThatThrownBy(() -> PeerName.of("camunda"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("camunda")
        .hasMessageContaining("onceflow, one-application, dbos, dbos-with-rows, restate");
  }

  @ParameterizedTest
  @EnumSource(
      mode = EnumSource.Mode.EXCLUDE,
      names = {"ONCEFLOW", "ONE_APPLICATION"})
  void hasAModuleThatTheNormalBuildLeavesOut(PeerName name) throws Exception {
    assertThat(MODULES.resolve(name.module()).resolve("pom.xml"))
        .content()
        .contains("<artifactId>peer-" + name.module() + "</artifactId>");
    assertThat(Path.of("../../pom.xml"))
        .content()
        .doesNotContain("verification/benchmarks/peers/" + name.module());
    assertThat(Files.readString(MODULES.resolve("pom.xml")))
        .contains("<module>" + name.module() + "</module>");
  }

  @Test
  void tellsTheFirstErrorOfAPeersOwnBuild() {
    List<String> log =
        List.of(
            "[INFO] BUILD FAILURE",
            "[ERROR] Failed to execute goal on project peer-dbos: Could not resolve dependencies",
            "[ERROR] \tCould not find artifact dev.dbos:transact:jar:9 in somewhere",
            "[ERROR] -> [Help 2]",
            "[ERROR] Failed to execute goal on project peer-restate: Could not resolve"
                + " dependencies",
            "[ERROR] \tdev.restate:sdk:jar:1 was not found in somewhere during a previous attempt.",
            "[ERROR] -> [Help 2]",
            "[ERROR] Failed to execute goal on project peer-temporal: Compilation failure");
    assertThat(PeerBuild.reasonIn(log, PeerName.TEMPORAL))
        .isEqualTo(
            "its build failed: Failed to execute goal on project peer-temporal: Compilation"
                + " failure");
    assertThat(PeerBuild.reasonIn(log, PeerName.DBOS))
        .isEqualTo("dev.dbos:transact:jar:9 does not resolve");
    assertThat(PeerBuild.reasonIn(log, PeerName.RESTATE))
        .isEqualTo("dev.restate:sdk:jar:1 does not resolve");
    assertThat(PeerBuild.reasonIn(List.of("[INFO] BUILD FAILURE"), PeerName.DBOS))
        .contains("was not built");
  }
}
