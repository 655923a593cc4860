package io.onceflow.deployment.kustomize;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Path;
import java.util.List;

/** Renders a folder by whatever is there to do it. */
public final class Rendering {

  private Rendering() {}

  /**
   * The objects that would be applied.
   *
   * @param folder which holds a kustomization.yaml
   */
  public static List<ObjectNode> of(Path folder) {
    return Tool.find().map(tool -> tool.render(folder)).orElseGet(() -> Renderer.render(folder));
  }
}
