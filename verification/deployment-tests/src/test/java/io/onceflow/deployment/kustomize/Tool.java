package io.onceflow.deployment.kustomize;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Kustomize itself, if this machine has it: in kubectl, or by its own name. */
public record Tool(List<String> command) {

  /** The first that is on the PATH. */
  public static Optional<Tool> find() {
    return Stream.of(List.of("kubectl", "kustomize"), List.of("kustomize", "build"))
        .filter(command -> isOnPath(command.getFirst()))
        .map(Tool::new)
        .findFirst();
  }

  /** The objects of a folder that holds a kustomization.yaml. */
  public List<ObjectNode> render(Path folder) {
    List<String> call = new ArrayList<>(command);
    call.add(folder.toString());
    try {
      Path errors = Files.createTempFile("kustomize", ".err");
      Process process = new ProcessBuilder(call).redirectError(errors.toFile()).start();
      String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      int status = process.waitFor();
      String said = Files.readString(errors);
      Files.delete(errors);
      if (status != 0) {
        throw new IllegalStateException("%s: %s".formatted(String.join(" ", call), said));
      }
      return Yaml.documents(output);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  private static boolean isOnPath(String name) {
    String path = Optional.ofNullable(System.getenv("PATH")).orElse("");
    return Pattern.compile(Pattern.quote(File.pathSeparator))
        .splitAsStream(path)
        .map(folder -> Path.of(folder).resolve(name))
        .anyMatch(Files::isExecutable);
  }
}
