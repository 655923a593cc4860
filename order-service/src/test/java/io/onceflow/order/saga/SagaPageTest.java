package io.onceflow.order.saga;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.saga.SagaDefinition;
import io.onceflow.saga.internal.SagaDiagram;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The pictures in the documentation are drawn from the definitions. */
class SagaPageTest {

  @ParameterizedTest
  @MethodSource("definitions")
  void theSagaPageShowsTheDefinition(SagaDefinition<?> definition) throws IOException {
    String page = Files.readString(Path.of("../docs/guide/saga.md"));

    assertThat(page)
        .as("docs/guide/saga.md holds the diagram of %s; paste it there", definition)
        .contains("```mermaid\n" + SagaDiagram.mermaid(definition) + "```");
  }

  static Stream<SagaDefinition<?>> definitions() {
    return Stream.of(PlaceOrderSaga.DEFINITION, ReturnOrderSaga.DEFINITION);
  }
}
