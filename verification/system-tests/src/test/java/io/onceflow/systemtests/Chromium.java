package io.onceflow.systemtests;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserType;
import com.microsoft.playwright.Playwright;
import com.microsoft.playwright.assertions.PlaywrightAssertions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * The machine's Chromium, or Chrome: that of the environment variable {@code CHROMIUM}, else the
 * first of the usual places. Where there is none, the tests are left out and say so, and fail where
 * {@code ONCEFLOW_BROWSER} is {@code required}. One process serves all tests of a JVM.
 */
final class Chromium implements ExecutionCondition {

  private static final List<String> USUAL_PLACES =
      List.of(
          "/usr/bin/chromium",
          "/usr/bin/chromium-browser",
          "/usr/bin/google-chrome",
          "/usr/bin/google-chrome-stable",
          "/opt/google/chrome/chrome",
          "/snap/bin/chromium",
          "/Applications/Chromium.app/Contents/MacOS/Chromium",
          "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome");

  private static final String NONE =
      "The console is not tested: this machine has no Chromium and no Chrome in the usual places,"
          + " and CHROMIUM names none";

  private static @Nullable Browser shared;

  @Override
  public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
    Optional<Path> browser = find();
    if (browser.isPresent()) {
      return ConditionEvaluationResult.enabled("in " + browser.get());
    }
    if ("required".equals(System.getenv("ONCEFLOW_BROWSER"))) {
      throw new IllegalStateException(NONE);
    }
    return ConditionEvaluationResult.disabled(NONE);
  }

  static Optional<Path> find() {
    String named = System.getenv("CHROMIUM");
    Stream<String> places = named == null ? USUAL_PLACES.stream() : Stream.of(named);
    return places.map(Path::of).filter(Files::isExecutable).findFirst();
  }

  /** How long a view may take to show what is expected of it: machines that test are busy. */
  static final int PATIENCE_MILLIS = 30_000;

  /** Started by the first test that asks for it; ends with the JVM. */
  static synchronized Browser get() {
    if (shared == null) {
      Playwright playwright =
          Playwright.create(
              new Playwright.CreateOptions()
                  .setEnv(Map.of("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1")));
      shared =
          playwright
              .chromium()
              .launch(
                  new BrowserType.LaunchOptions()
                      .setExecutablePath(find().orElseThrow())
                      .setArgs(arguments()));
      PlaywrightAssertions.setDefaultAssertionTimeout(PATIENCE_MILLIS);
      Runtime.getRuntime().addShutdownHook(new Thread(playwright::close, "browser-stop"));
    }
    return shared;
  }

  private static List<String> arguments() {
    List<String> arguments =
        new ArrayList<>(List.of("--disable-gpu", "--force-color-profile=srgb"));
    if ("root".equals(System.getProperty("user.name"))) {
      // Chromium's sandbox refuses to start for root, whom some machines that test are.
      arguments.add("--no-sandbox");
    }
    return arguments;
  }
}
