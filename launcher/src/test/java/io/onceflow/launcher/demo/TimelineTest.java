package io.onceflow.launcher.demo;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.List;
import org.junit.jupiter.api.Test;

class TimelineTest {

  @Test
  void countsFromTheBeginningAndKeepsItsColumns() throws Exception {
    assertThat(
            render(
                """
                {"definition": "place-order", "version": 1, "status": "COMPLETED", "history": [
                  {"at": "2026-01-01T10:00:00Z", "event": "STARTED"},
                  {"at": "2026-01-01T10:00:00.012Z", "event": "SENT", "step": "process-payment",
                   "detail": "attempt 1"},
                  {"at": "2026-01-01T10:00:01.2Z", "event": "REPLIED", "step": "process-payment",
                   "detail": "PaymentProcessed"}]}
                """))
        .containsExactly(
            "saga place-order, version 1: COMPLETED",
            "   +0 ms  STARTED",
            "  +12 ms  SENT     process-payment  attempt 1",
            "+1200 ms  REPLIED  process-payment  PaymentProcessed");
  }

  @Test
  void showsWhatItCannotReadInsteadOfHidingIt() throws Exception {
    assertThat(
            render(
                """
                {"history": [{"at": "yesterday", "event": "STARTED", "detail": {"order": 1}}]}
                """))
        .containsExactly("saga ?, version ?: ?", "?  STARTED    {\"order\":1}");
  }

  @Test
  void needsNoHistory() throws Exception {
    assertThat(render("{\"definition\": \"place-order\"}")).hasSize(1);
  }

  private static List<String> render(String json) throws Exception {
    JsonNode saga = new ObjectMapper().readTree(json);
    return Timeline.render(saga);
  }
}
