package io.onceflow.benchmarks.saga.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;

class ReportTest {

  private static final Report REPORT =
      new Report(
          Instant.parse("2026-01-02T03:04:05Z"),
          Map.of("processor", "A quick one, 2 cores"),
          List.of(
              new Section(
                  "closedLoop",
                  "Closed loop",
                  "How to read it.",
                  List.of("clients", "sagas/s", "of the ceiling"),
                  List.of(
                      ReportRow.of(
                          "32",
                          "32",
                          Cell.of("sagasPerSecond", 2_500.4, 0),
                          Cell.of("ofCeiling", 2.5, 2).shallBe(Target.atLeast(2.0))),
                      ReportRow.of(
                          "128",
                          "128",
                          Cell.of("sagasPerSecond", 3_000, 0),
                          Cell.of("ofCeiling", 3.0, 2).shallBe(Target.atLeast(3.5))))),
              new Section(
                  "ceiling",
                  "SQL ceiling",
                  "",
                  List.of("", "sagas/s"),
                  List.of(ReportRow.of("best", "best", Cell.of("sagasPerSecond", 1_000, 0)))),
              new Section(
                  "openLoop",
                  "Open loop",
                  "",
                  List.of("part", "orders/s", "a", "b", "c", "d"),
                  List.of(
                      ReportRow.of(
                          "0.25",
                          "0.25",
                          Cell.of("ordersPerSecond", 625, 0),
                          Cell.of("postP50Ms", 1.5, 1),
                          Cell.of("postP99Ms", 4.5, 1),
                          Cell.of("confirmedP50Ms", 8, 1),
                          Cell.of("confirmedP99Ms", Double.NaN, 1))))),
          List.of());

  @Test
  void tellsLinesThatMissTheirTarget() {
    assertThat(Markdown.of(REPORT))
        .contains("TARGET MISSED: >= 3.5", "met: >= 2.0", "Lines that miss their target: 1.");
  }

  @Test
  void setsFiguresInColumnsOfEvenWidth() {
    assertThat(Markdown.of(REPORT))
        .contains(
            """
            | clients | sagas/s | of the ceiling | target                |
            |---------|--------:|---------------:|-----------------------|
            | 32      |   2,500 |           2.50 | met: >= 2.0           |
            | 128     |   3,000 |           3.00 | TARGET MISSED: >= 3.5 |
            """);
  }

  @Test
  void saysThatAllWasRightOnlyWhenItWas() {
    Report wrong =
        new Report(REPORT.startedAt(), Map.of(), List.of(), List.of("3 orders are not confirmed"));
    assertThat(Markdown.of(wrong))
        .contains("**WRONG** 3 orders are not confirmed")
        .doesNotContain("Every order was confirmed");
    assertThat(Markdown.of(REPORT)).contains("Every order was confirmed");
  }

  @Test
  void tellsMachinesTheExactFiguresAndTheTargetsThatWereMissed() throws Exception {
    JsonNode json = new ObjectMapper().readTree(Json.of(REPORT));
    assertThat(json.at("/sections/closedLoop/32/sagasPerSecond").asDouble()).isEqualTo(2_500.4);
    assertThat(json.at("/missed/closedLoop.128.ofCeiling").asText()).isEqualTo(">= 3.5");
    assertThat(json.at("/missed")).hasSize(1);
    assertThat(json.at("/faults")).isEmpty();
  }

  @Test
  void leavesOutOfTheJsonWhatWasNotMeasured() throws Exception {
    JsonNode json = new ObjectMapper().readTree(Json.of(REPORT));
    assertThat(json.at("/sections/openLoop/0.25/confirmedP99Ms").isMissingNode()).isTrue();
  }

  @Test
  void countsWhatWasNotMeasuredAsMissed() {
    assertThat(Cell.of("ratio", Double.NaN, 1).shallBe(Target.atLeast(2)).isMissed()).isTrue();
    assertThat(Cell.of("ms", Double.NaN, 1).shallBe(Target.atMost(10)).isMissed()).isTrue();
    assertThat(Cell.of("ms", 10, 1).shallBe(Target.atMost(10)).isMissed()).isFalse();
  }

  @Test
  void drawsLinesAndTheCeilingAsWellFormedSvg() throws Exception {
    String svg = Plot.of(REPORT);
    DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(new ByteArrayInputStream(svg.getBytes(StandardCharsets.UTF_8)));
    assertThat(svg)
        .contains("SQL ceiling", "class=\"ceiling\"", "POST p99", "CONFIRMED p50", "prefers-color")
        .doesNotContain("NaN", "CONFIRMED p99<");
  }

  @Test
  void beginsTheAxisAtZeroAndEndsItAtARoundNumber() {
    assertThat(Panel.niceTop(0.7)).isEqualTo(0.75);
    assertThat(Panel.niceTop(1_213)).isEqualTo(1_500);
    assertThat(Panel.niceTop(9_001)).isEqualTo(10_000);
  }

  @Test
  void refusesARowThatDoesNotFitItsTable() {
    assertThatThrownBy(
            () ->
                new Section(
                    "a", "A", "", List.of("", "one", "two"), List.of(ReportRow.of("r", "r"))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("r of a");
  }
}
