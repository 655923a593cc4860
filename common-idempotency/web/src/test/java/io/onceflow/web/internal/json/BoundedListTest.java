package io.onceflow.web.internal.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import com.fasterxml.jackson.databind.util.StdConverter;
import jakarta.validation.constraints.Size;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class BoundedListTest {

  private final ObjectMapper json = new ObjectMapper();

  record Line(int quantity) {}

  record Basket(@Size(max = 2) List<@Nullable Line> lines, @Nullable List<Integer> unbounded) {}

  static final class Sum extends StdConverter<List<Integer>, List<Integer>> {

    @Override
    public List<Integer> convert(List<Integer> numbers) {
      return List.of(numbers.stream().mapToInt(Integer::intValue).sum());
    }
  }

  record Summed(@Size(max = 2) @JsonDeserialize(converter = Sum.class) List<Integer> numbers) {}

  @BeforeEach
  void customize() {
    new StrictRequestJson().customize(json);
  }

  @Test
  void readsAListUpToItsSize() throws JsonProcessingException {
    Basket basket =
        json.readValue(
            "{\"lines\": [{\"quantity\": 1}, null], \"unbounded\": [1, 2, 3]}", Basket.class);

    assertThat(basket.lines()).containsExactly(new Line(1), null);
    assertThat(basket.unbounded()).hasSize(3);
  }

  /** What follows the element that is too many is not even JSON. */
  @Test
  void stopsAtTheFirstElementBeyondTheSize() {
    assertThatThrownBy(
            () ->
                json.readValue(
                    "{\"lines\": [{\"quantity\": 1}, {\"quantity\": 2}, {}, oops", Basket.class))
        .isInstanceOfSatisfying(
            TooManyElements.class,
            refused -> {
              assertThat(refused.getOriginalMessage()).isEqualTo("may have at most 2 elements");
              assertThat(refused.getPath().getFirst().getFieldName()).isEqualTo("lines");
            });
  }

  @Test
  void namesTheElementThatCannotBeRead() {
    assertThatThrownBy(
            () ->
                json.readValue(
                    "{\"lines\": [{\"quantity\": 1}, {\"quantity\": \"2\"}]}", Basket.class))
        .isInstanceOfSatisfying(
            JsonMappingException.class,
            refused ->
                assertThat(refused.getPathReference())
                    .contains("\"lines\"", "[1]", "\"quantity\""));
  }

  @Test
  void refusesWhatIsNoList() {
    assertThatThrownBy(() -> json.readValue("{\"lines\": {}}", Basket.class))
        .isInstanceOf(JsonMappingException.class);
  }

  @Test
  void aConverterOfThePropertyGoesOn() throws JsonProcessingException {
    assertThat(json.readValue("{\"numbers\": [1, 2]}", Summed.class).numbers()).containsExactly(3);
  }
}
