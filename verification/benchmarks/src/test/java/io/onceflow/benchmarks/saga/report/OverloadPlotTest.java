package io.onceflow.benchmarks.saga.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.benchmarks.saga.report.OverloadPlot.Moment;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;

class OverloadPlotTest {

  @Test
  void isWellFormedAndLeavesOutWhatWasNotMeasured() throws Exception {
    String svg =
        OverloadPlot.of(
            List.of(
                new Moment(500, 400, 12, 80, 300, 4_000),
                new Moment(510, 500, 13, Double.NaN, 310, Double.NaN)),
            505);
    DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(new ByteArrayInputStream(svg.getBytes(StandardCharsets.UTF_8)));
    assertThat(svg).contains(">accepted<", ">shed<", ">p99<", ">outbox<").doesNotContain("NaN");
  }
}
