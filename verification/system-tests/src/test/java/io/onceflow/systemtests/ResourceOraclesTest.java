package io.onceflow.systemtests;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the fuzz tests watch a service for is found in one that is worse on purpose. */
@Tag("nightly")
@Timeout(120)
class ResourceOraclesTest {

  private static final String COST = "ms of processor time until it was answered";

  private final ServiceProcess service =
      ServiceProcess.of(GreedyService.class, Project.output().resolve("greedy"));

  @BeforeEach
  void start() {
    service.start();
    service.awaitReady();
  }

  @AfterEach
  void kill() {
    service.kill();
  }

  @Test
  void timeSeriesWithoutABoundAreComplainedOf() {
    try (ServiceInspector inspector = ServiceInspector.attach(service)) {
      Resources before = inspector.look();
      given().get(service.url() + GreedyService.GROWS).then().statusCode(200);

      assertThat(ResourceBounds.DEFAULT.grown(before, inspector.look()))
          .singleElement()
          .asString()
          .contains(
              "metric series, 0 after the warm-up",
              "%,d".formatted(GreedyService.SERIES),
              "at most 1,000 more");
    }
  }

  @Test
  void aRequestThatTakesMoreThanTwoSecondsOfProcessorTimeIsAFinding() {
    assertThat(findingsOf(GreedyService.SPENDS)).isNotEmpty().allMatch(it -> it.contains(COST));
  }

  @Test
  void aRequestThatTakesLittleIsNone() {
    assertThat(findingsOf(GreedyService.MODEST)).noneMatch(it -> it.contains(COST));
  }

  private List<String> findingsOf(String path) {
    List<ApiOperation> operations =
        ApiOperation.of(service).stream().filter(it -> it.path().equals(path)).toList();
    HttpFuzzing fuzzing = new HttpFuzzing(operations, List.of("token"));
    fuzzing.warmUp(new FuzzSettings(0, 0, 1));
    fuzzing.run(new FuzzSettings(0, 2, 1));
    return fuzzing.findings();
  }
}
