package io.onceflow.internal.startup;

import io.smallrye.config.SmallRyeConfig;
import java.io.PrintStream;
import java.time.Instant;
import java.time.LocalTime;
import java.time.format.DateTimeFormatter;
import java.util.Optional;

/**
 * Writes log lines before there is a logger, in its format: plain, or JSON where the service logs
 * JSON. A line equal to the one before is left out.
 */
final class StartupLog {

  private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("HH:mm:ss.SSS");
  private final String logger;
  private final PrintStream lines;
  private final boolean isJson;
  private String last = "";

  /**
   * @param check which check writes the lines
   */
  StartupLog(Class<?> check, SmallRyeConfig config, PrintStream lines) {
    this.logger = check.getSimpleName();
    this.lines = lines;
    this.isJson =
        isOn(config, "quarkus.log.console.json.enabled")
            .or(() -> isOn(config, "quarkus.log.console.json"))
            .orElse(false);
  }

  private static Optional<Boolean> isOn(SmallRyeConfig config, String name) {
    return config.getOptionalValue(name, Boolean.class);
  }

  void say(String level, String text) {
    if (!text.equals(last)) {
      lines.println(isJson ? json(level, text) : plain(level, text));
      last = text;
    }
  }

  private String plain(String level, String text) {
    return "%s %-5s %s  %s".formatted(LocalTime.now().format(TIME), level, logger, text);
  }

  private String json(String level, String text) {
    return """
    {"timestamp":"%s","level":"%s","loggerName":"%s","message":"%s"}\
    """
        .formatted(Instant.now(), level, logger, quoted(text));
  }

  /** Escaped for a JSON string. */
  static String quoted(String text) {
    return text.replace("\\", "\\\\").replace("\"", "\\\"").replaceAll("\\p{Cntrl}", " ");
  }
}
