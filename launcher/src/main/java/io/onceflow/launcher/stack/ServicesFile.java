package io.onceflow.launcher.stack;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads the services of a stack from a YAML file, in the order in which they start. */
public final class ServicesFile {

  private static final ObjectMapper YAML =
      JsonMapper.builder(new YAMLFactory())
          .propertyNamingStrategy(PropertyNamingStrategies.KEBAB_CASE)
          .build();

  private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9-]*");
  private static final int LARGEST_PORT = 65_535;

  private record Content(List<Entry> services) {}

  /**
   * A service as it is written.
   *
   * @param folder its Maven module, relative to the file; its name by default
   * @param jar in place of the module's {@code target/quarkus-app/quarkus-run.jar}
   * @param database its name, with underscores, by default
   */
  private record Entry(
      String name,
      @Nullable String folder,
      @Nullable String jar,
      int port,
      int managementPort,
      @Nullable String database,
      boolean redis,
      @Nullable Map<String, String> environment) {

    Service in(Path base) {
      Path built = base.resolve(Objects.requireNonNullElse(folder, name));
      return new Service(
          name,
          (jar == null ? built.resolve("target/quarkus-app/quarkus-run.jar") : base.resolve(jar))
              .normalize(),
          port,
          managementPort,
          Objects.requireNonNullElse(database, name.replace('-', '_')),
          redis,
          Objects.requireNonNullElse(environment, Map.of()));
    }
  }

  private ServicesFile() {}

  /**
   * The services of a file.
   *
   * @throws LaunchException saying what is wrong with it
   */
  public static List<Service> read(Path file) throws IOException {
    Path base = file.toAbsolutePath().getParent();
    List<Service> services = content(file).stream().map(entry -> entry.in(base)).toList();
    if (services.isEmpty()) {
      throw wrong(file, "it names no service");
    }
    Set<String> names = new HashSet<>();
    for (Service service : services) {
      if (!names.add(service.name())) {
        throw wrong(file, "it has two services " + service.name());
      }
    }
    return services;
  }

  private static List<Entry> content(Path file) throws IOException {
    if (Files.isDirectory(file)) {
      throw wrong(file, "it is a folder");
    }
    try {
      Content content = YAML.readValue(Files.readString(file), Content.class);
      if (content == null || content.services() == null) {
        throw wrong(file, "it has no list `services`");
      }
      content.services().forEach(entry -> check(file, entry));
      return content.services();
    } catch (NoSuchFileException e) {
      throw new LaunchException("There is no file %s that names the services".formatted(file));
    } catch (JacksonException e) {
      throw wrong(file, e.getOriginalMessage());
    }
  }

  private static void check(Path file, @Nullable Entry entry) {
    if (entry == null || entry.name() == null || !NAME.matcher(entry.name()).matches()) {
      throw wrong(
          file,
          "each service needs a name of lower-case letters, digits and hyphens such as trips");
    }
    if (!isPort(entry.port()) || !isPort(entry.managementPort())) {
      throw wrong(file, entry.name() + " needs a port and a management-port from 1 to 65535");
    }
  }

  private static boolean isPort(int port) {
    return port > 0 && port <= LARGEST_PORT;
  }

  private static LaunchException wrong(Path file, String why) {
    return new LaunchException("%s cannot be used: %s".formatted(file, why));
  }
}
