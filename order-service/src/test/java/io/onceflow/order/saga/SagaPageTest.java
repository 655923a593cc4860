package io.onceflow.order.saga;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.saga.SagaDiagram;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The picture in the documentation is drawn from the definition. */
class SagaPageTest {

  @Test
  void theSagaPageShowsTheDefinition() throws IOException {
    String page = Files.readString(Path.of("../docs/saga.md"));

    assertThat(page)
        .as("docs/saga.md holds the diagram of PlaceOrderSaga.DEFINITION; paste it there")
        .contains("```mermaid\n" + SagaDiagram.mermaid(PlaceOrderSaga.DEFINITION) + "```");
  }
}
