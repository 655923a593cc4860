package io.onceflow.saga;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.saga.internal.SagaDiagram;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The picture in the guide is drawn from the definition that the guide shows. */
class RentalPageTest {

  @Test
  void theGuideShowsTheDefinition() throws IOException {
    assertThat(Files.readString(Path.of("../../docs/guide/definitions.md")))
        .as("docs/guide/definitions.md holds the diagram of the rental; paste it there")
        .contains("```mermaid\n" + SagaDiagram.mermaid(Rental.DEFINITION) + "```");
  }
}
