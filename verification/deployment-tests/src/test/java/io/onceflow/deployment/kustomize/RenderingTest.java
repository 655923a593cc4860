package io.onceflow.deployment.kustomize;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.onceflow.deployment.Overlay;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class RenderingTest {

  @ParameterizedTest
  @EnumSource
  void ourOwnRendererSaysWhatKustomizeSays(Overlay overlay) {
    assumeTrue(Tool.find().isPresent(), "neither kubectl nor kustomize is installed");
    List<ObjectNode> theirs = Tool.find().orElseThrow().render(overlay.folder());

    Map<String, ObjectNode> ours = byName(Renderer.render(overlay.folder()));

    assertThat(ours.keySet()).isEqualTo(byName(theirs).keySet());
    byName(theirs).forEach((name, object) -> assertThat(ours.get(name)).as(name).isEqualTo(object));
  }

  @Test
  void ourOwnRendererRefusesWhatItDoesNotKnow(@TempDir Path folder) throws Exception {
    Files.writeString(folder.resolve("kustomization.yaml"), "namePrefix: my-\n");

    assertThatThrownBy(() -> Renderer.render(folder))
        .isInstanceOf(UnsupportedOperationException.class)
        .hasMessageContaining("namePrefix");
  }

  private static Map<String, ObjectNode> byName(List<ObjectNode> objects) {
    Map<String, ObjectNode> byName = new TreeMap<>();
    for (ObjectNode object : objects) {
      String name = object.at("/metadata/name").asText();
      byName.put("%s %s".formatted(object.path("kind").asText(), name), object);
    }
    return byName;
  }
}
