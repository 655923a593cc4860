package io.onceflow.systemtests;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.deque.html.axecore.playwright.AxeBuilder;
import com.deque.html.axecore.results.Rule;
import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.ColorScheme;
import com.microsoft.playwright.options.ReducedMotion;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URLEncoder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Pattern;

/**
 * The console in one tab of a browser, as a person who is signed in sees it. Closing it fails if
 * anything was written to the browser's console as an error, was thrown, or broke the content
 * security policy.
 */
final class Console implements AutoCloseable {

  private static final int WIDTH = 1440;
  private static final int HEIGHT = 900;

  /** More than any view has. */
  private static final int MOST_STOPS = 200;

  /** Tells of a broken policy, which the browser may otherwise only count. */
  private static final String REPORT_VIOLATIONS =
      """
      addEventListener("securitypolicyviolation",
        (e) => console.error(`policy broken: ${e.violatedDirective} by ${e.blockedURI} ${e.sourceFile}`));
      """;

  private final String url;
  private final BrowserContext context;
  private final Page page;
  private final List<String> errors = new CopyOnWriteArrayList<>();
  private final List<Pattern> expected = new CopyOnWriteArrayList<>();

  private Console(String url) {
    this.url = url;
    this.context =
        Chromium.get()
            .newContext(
                new Browser.NewContextOptions()
                    .setViewportSize(WIDTH, HEIGHT)
                    .setLocale("en-GB")
                    .setTimezoneId("UTC")
                    .setColorScheme(ColorScheme.LIGHT));
    context.setDefaultTimeout(Chromium.PATIENCE_MILLIS);
    context.addInitScript(REPORT_VIOLATIONS);
    this.page = context.newPage();
    page.onPageError(errors::add);
    page.onConsoleMessage(
        message -> {
          if (message.type().equals("error")) {
            errors.add(message.text() + " at " + message.location());
          }
        });
  }

  /** A tab of somebody who has not signed in. */
  static Console ofNobody(Stack stack) {
    return new Console(stack.orders().url());
  }

  /** A tab of a service whose answers a test gives itself. */
  static Console ofScriptedService() {
    return new Console(ScriptedService.URL);
  }

  /**
   * A tab that was signed in by a link with a token, as {@code ./onceflow console} opens it.
   *
   * @param path of the view that it goes to
   */
  static Console signedIn(Stack stack, String token, String path) {
    Console console = new Console(stack.orders().url());
    console.open("sign-in?to=" + URLEncoder.encode(path, UTF_8) + "#token=" + token);
    assertThat(console.button("Sign out")).isVisible();
    return console;
  }

  /** Goes to an address below the console's as somebody does who was sent it. */
  Console open(String path) {
    page.navigate(url + "/console/" + path);
    return this;
  }

  Page page() {
    return page;
  }

  /** The view's own heading. */
  Locator heading(String name) {
    return page.getByRole(AriaRole.HEADING, new Page.GetByRoleOptions().setName(name).setLevel(1));
  }

  Locator button(String name) {
    return page.getByRole(
        AriaRole.BUTTON, new Page.GetByRoleOptions().setName(name).setExact(true));
  }

  Locator link(String name) {
    return page.getByRole(AriaRole.LINK, new Page.GetByRoleOptions().setName(name));
  }

  /** Goes there by the keyboard alone. */
  Locator tabTo(Locator target) {
    for (int i = 0; i < MOST_STOPS && !isFocused(target); i++) {
      page.keyboard().press("Tab");
    }
    assertThat(target).isFocused();
    return target;
  }

  private static boolean isFocused(Locator target) {
    return (Boolean) target.evaluate("(it) => it.getRootNode().activeElement === it");
  }

  /** An error that this test provokes. */
  void expectError(String pattern) {
    expected.add(Pattern.compile(pattern));
  }

  /** Without motion, since axe would measure colours in the midst of a transition. */
  void prefer(ColorScheme colours) {
    page.emulateMedia(
        new Page.EmulateMediaOptions()
            .setColorScheme(colours)
            .setReducedMotion(ReducedMotion.REDUCE));
  }

  /** Nothing that was asked for was refused or could not be had. */
  void expectNoProblem() {
    assertThat(page.locator("oc-problem [role=alert]")).hasCount(0);
  }

  /** What axe finds wrong with what is to be seen now. */
  void expectAccessible(String what) {
    List<Rule> violations = new AxeBuilder(page).setLegacyMode(true).analyze().getViolations();
    assertThat(violations.stream().map(Console::told).toList()).as("axe on " + what).isEmpty();
  }

  private static String told(Rule rule) {
    return rule.getId()
        + rule.getNodes().stream()
            .map(it -> "\n  " + it.getHtml() + "\n  " + it.getFailureSummary())
            .toList();
  }

  /** Writes what is to be seen to {@code docs/images} if that is asked for. */
  void picture(String name) {
    if (!Boolean.getBoolean("onceflow.screenshots")) {
      return;
    }
    Path folder = Project.file("docs/images");
    try {
      Files.createDirectories(folder);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    page.screenshot(
        new Page.ScreenshotOptions().setPath(folder.resolve("console-" + name + ".png")));
  }

  @Override
  public void close() {
    List<String> unexpected = errors.stream().filter(this::isUnexpected).toList();
    // A request that comes while the page is closed would be answered, which fails then.
    page.unrouteAll();
    context.close();
    assertThat(unexpected).as("errors on the browser's console").isEmpty();
  }

  private boolean isUnexpected(String error) {
    return expected.stream().noneMatch(it -> it.matcher(error).find());
  }
}
