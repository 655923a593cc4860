package io.onceflow.launcher.stack;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What is up, as one command leaves it for the next in {@code .onceflow/stack.json}.
 *
 * @param stack on what it runs
 * @param ready whether all of it was seen ready; until then it is starting
 * @param launcher the process that runs the stack; none where Docker does
 * @param processes what the launcher started, in order
 * @param services the names of the services, in order
 * @param urls where the services and servers are, by name
 */
public record StackState(
    StackKind stack,
    boolean ready,
    @Nullable OwnProcess launcher,
    List<OwnProcess> processes,
    List<String> services,
    Map<String, String> urls) {

  private static final ObjectMapper JSON =
      new ObjectMapper()
          .enable(SerializationFeature.INDENT_OUTPUT)
          .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES);

  /** Copies the lists, keeping their order. */
  public StackState {
    processes = List.copyOf(processes);
    services = services == null ? List.of() : List.copyOf(services); // of an earlier launcher
    urls = Collections.unmodifiableMap(new LinkedHashMap<>(urls));
  }

  /**
   * Reads the file.
   *
   * @return empty if there is none: nothing is up
   * @throws IOException if it cannot be read or understood
   */
  public static Optional<StackState> read(Path file) throws IOException {
    try {
      return Optional.of(JSON.readValue(Files.readString(file), StackState.class));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    }
  }

  /** Writes the file; a reader sees the old or the new one, never half of it. */
  public void write(Path file) throws IOException {
    Files.createDirectories(file.getParent());
    Path whole = file.resolveSibling(file.getFileName() + ".new");
    Files.writeString(whole, JSON.writeValueAsString(this) + "\n");
    Files.move(whole, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  /**
   * The base URL of a service.
   *
   * @throws IllegalStateException if the state does not say
   */
  public String url(String service) {
    String url = urls.get(service);
    if (url == null) {
      throw new IllegalStateException("stack.json does not say where " + service + " is");
    }
    return url;
  }
}
