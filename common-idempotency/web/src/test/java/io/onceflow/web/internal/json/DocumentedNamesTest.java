package io.onceflow.web.internal.json;

import static org.assertj.core.api.Assertions.assertThat;

import com.example.flights.FlightBooked;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import org.junit.jupiter.api.Test;

/** An application's naming strategy is for its own types. */
class DocumentedNamesTest {

  private static final ObjectMapper JSON = customized();

  record StepView(String stepName) {}

  private static ObjectMapper customized() {
    ObjectMapper json =
        new ObjectMapper().setPropertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE);
    new StrictRequestJson().customize(json);
    return json;
  }

  /** Seen red: they were written in the application's form, and read in no other. */
  @Test
  void areThoseOfOnceflowsOwnTypes() throws JsonProcessingException {
    String text = "{\"stepName\":\"charge-card\"}";
    assertThat(JSON.writeValueAsString(new StepView("charge-card"))).isEqualTo(text);
    assertThat(JSON.readValue(text, StepView.class)).isEqualTo(new StepView("charge-card"));
  }

  @Test
  void areNotThoseOfTheApplicationsTypes() throws JsonProcessingException {
    assertThat(JSON.writeValueAsString(new FlightBooked("12A")))
        .isEqualTo("{\"seat_number\":\"12A\"}");
  }
}
