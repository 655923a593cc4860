package io.onceflow.launcher.stack;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The browser of this machine, if there is one. */
public final class Browser {

  private Browser() {}

  /** Shows a page, and does nothing on a machine without a desktop. */
  public static void open(URI page) {
    List<String> command = new ArrayList<>(opener(System.getProperty("os.name", "")));
    command.add(page.toString());
    try {
      new ProcessBuilder(command)
          .redirectOutput(Redirect.DISCARD)
          .redirectError(Redirect.DISCARD)
          .start();
    } catch (IOException e) {
      // There is no such program; the address was printed.
    }
  }

  /** The program that opens an address on an operating system, with its first arguments. */
  static List<String> opener(String system) {
    String name = system.toLowerCase(Locale.ROOT);
    if (name.startsWith("mac")) {
      return List.of("open");
    }
    return name.startsWith("windows")
        ? List.of("rundll32", "url.dll,FileProtocolHandler")
        : List.of("xdg-open");
  }
}
