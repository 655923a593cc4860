package io.onceflow.launcher;

import java.net.URI;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.Set;
import java.util.UUID;
import picocli.CommandLine;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads arguments of the types that picocli reports malformed ones of by a Java exception. */
final class ArgumentTypes {

  private static final Set<String> SCHEMES = Set.of("http", "https");

  private static final int LARGEST_PORT = 65_535;

  private ArgumentTypes() {}

  /** Registers them with a command line and its subcommands. */
  static CommandLine register(CommandLine launcher) {
    return launcher
        .registerConverter(UUID.class, ArgumentTypes::uuid)
        .registerConverter(URI.class, ArgumentTypes::url)
        .registerConverter(Duration.class, ArgumentTypes::duration);
  }

  private static UUID uuid(String text) {
    try {
      return UUID.fromString(text);
    } catch (IllegalArgumentException e) {
      throw new TypeConversionException(
          "'%s' is not a UUID, as ids of sagas, repairs and parked messages are: sagas list, sagas"
                  .formatted(text)
              + " repairs and parked list print them");
    }
  }

  private static URI url(String text) {
    try {
      URI url = URI.create(text);
      if (url.getHost() != null && SCHEMES.contains(url.getScheme())) {
        return url;
      }
    } catch (IllegalArgumentException e) {
      // the same is said of it
    }
    throw new TypeConversionException(
        "'%s' is not a URL such as https://orders.example".formatted(text));
  }

  private static Duration duration(String text) {
    try {
      return Duration.parse(text);
    } catch (DateTimeParseException e) {
      throw new TypeConversionException(
          "'%s' is not a duration of ISO 8601 such as PT30M or PT12H".formatted(text));
    }
  }

  /** A port, for the options that name one. */
  static final class PortNumber implements ITypeConverter<Integer> {

    @Override
    public Integer convert(String text) {
      try {
        int port = Integer.parseInt(text);
        if (port > 0 && port <= LARGEST_PORT) {
          return port;
        }
      } catch (NumberFormatException e) {
        // the same is said of it
      }
      throw new TypeConversionException(
          "'%s' is not a port from 1 to %s".formatted(text, LARGEST_PORT));
    }
  }
}
