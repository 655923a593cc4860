package io.onceflow.launcher.stack;

import java.io.File;
import java.nio.file.Path;

/** The Java that runs this launcher, for running others with it. */
final class JavaCommand {

  /** The standard input of a process that gets no input. */
  static final File NOTHING = new File(File.separatorChar == '/' ? "/dev/null" : "NUL");

  private JavaCommand() {}

  static String path() {
    return Path.of(System.getProperty("java.home"), "bin", "java").toString();
  }
}
