package io.onceflow.launcher.stack;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Where the servers inside this JVM write their log: not between the lines of progress. */
final class ServerLogs {

  private ServerLogs() {}

  /** Has an effect only before the first class that logs is loaded, when logging sets itself up. */
  static void redirectTo(Path file) throws IOException {
    Files.createDirectories(file.getParent());
    System.setProperty("org.slf4j.simpleLogger.logFile", file.toString());
    System.setProperty("org.slf4j.simpleLogger.defaultLogLevel", "warn");
    System.setProperty("org.slf4j.simpleLogger.showDateTime", "true");
    System.setProperty("org.slf4j.simpleLogger.dateTimeFormat", "yyyy-MM-dd HH:mm:ss.SSS");
  }
}
