package io.onceflow.systemtests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The alert rules: each is tested and has an entry in the runbook. */
class AlertRulesTest {

  private static final Path FOLDER = Project.file("deploy/prometheus");

  /** Absolute, since an alert is read far from this checkout. */
  private static final String RUNBOOK_PAGE =
      "https://github.com/onceflow/onceflow/blob/main/docs/operations/runbook.md";

  private static final Pattern ALERT = Pattern.compile("(?m)^ +- alert: (\\w+)$");
  private static final Pattern RUNBOOK = Pattern.compile("(?m)^ +runbook_url: (\\S+)$");
  private static final Pattern ENTRY = Pattern.compile("(?m)^## (Onceflow\\w+)$");
  private static final Pattern TESTED = Pattern.compile("alertname: (\\w+)");

  private final String rules = Files.readString(FOLDER.resolve("alerts.yml"));

  AlertRulesTest() throws IOException {}

  @Test
  void eachHasAnEntryInTheRunbookAndLeadsToIt() throws IOException {
    List<String> alerts = all(ALERT, rules);

    assertThat(alerts).isNotEmpty();
    assertThat(all(ENTRY, Files.readString(Project.file("docs/operations/runbook.md"))))
        .containsExactlyInAnyOrderElementsOf(alerts);
    assertThat(all(RUNBOOK, rules))
        .containsExactlyElementsOf(
            alerts.stream()
                .map(alert -> RUNBOOK_PAGE + "#" + alert.toLowerCase(Locale.ROOT))
                .toList());
  }

  @Test
  void eachIsUnitTested() throws IOException {
    assertThat(all(TESTED, Files.readString(FOLDER.resolve("alerts_test.yml"))))
        .containsAll(all(ALERT, rules));
  }

  @Test
  void promtoolFindsThemInOrderWherePromtoolOrDockerIsThere() {
    Optional<PrometheusTool> promtool = PrometheusTool.find("promtool", FOLDER);
    assumeTrue(promtool.isPresent(), "neither promtool nor Docker is there");

    assertThat(promtool.get().run(FOLDER, "check", "config", "prometheus.yml"))
        .contains("SUCCESS: %d rules found".formatted(all(ALERT, rules).size()));
    assertThat(promtool.get().run(FOLDER, "test", "rules", "alerts_test.yml")).contains("SUCCESS");
  }

  private static List<String> all(Pattern pattern, String text) {
    return pattern.matcher(text).results().map(found -> found.group(1)).toList();
  }
}
