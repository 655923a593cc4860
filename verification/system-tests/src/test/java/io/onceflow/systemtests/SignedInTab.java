package io.onceflow.systemtests;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.APIResponse;
import com.microsoft.playwright.options.Cookie;
import com.microsoft.playwright.options.RequestOptions;
import io.restassured.path.json.JsonPath;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** A tab of the browser, and requests with the cookies that it has. */
final class SignedInTab implements AutoCloseable {

  private final Stack stack;
  private final Console console;

  private SignedInTab(Stack stack) {
    this.stack = stack;
    this.console = Console.ofNobody(stack);
  }

  static SignedInTab ofNobody(Stack stack) {
    return new SignedInTab(stack);
  }

  /** Signs in by a link to a view, at the issuer's page. */
  static SignedInTab of(Stack stack, String user, String path) {
    SignedInTab tab = new SignedInTab(stack);
    tab.console.open(path);
    tab.console.link("Sign in with your account").click();
    tab.logIn(user);
    assertThat(tab.console.button("Sign out")).isVisible();
    return tab;
  }

  /** Fills in the issuer's form; each user of the realm has their name as the password. */
  void logIn(String user) {
    console.page().locator("#username").fill(user);
    console.page().locator("#password").fill(user);
    console.page().locator("#kc-login").click();
  }

  Console console() {
    return console;
  }

  String url() {
    return console.page().url();
  }

  List<Cookie> sessionCookies() {
    return console.page().context().cookies().stream()
        .filter(cookie -> cookie.name.startsWith("q_session"))
        .toList();
  }

  void forgetCookies() {
    console.page().context().clearCookies();
  }

  /** What the page knows as {@code csrf}. */
  String csrf() {
    return JsonPath.from(send("GET", "/console/session", Map.of()).text()).getString("csrf");
  }

  /**
   * A request with the session's cookies, as a program sends it that has got hold of them. They are
   * for https alone, or for the browser on the same machine, so they are put in by hand. No
   * redirection is followed.
   */
  APIResponse send(String method, String path, Map<String, String> headers) {
    RequestOptions options = RequestOptions.create().setMethod(method).setMaxRedirects(0);
    options.setHeader(
        "Cookie",
        sessionCookies().stream()
            .map(cookie -> cookie.name + "=" + cookie.value)
            .collect(Collectors.joining("; ")));
    headers.forEach(options::setHeader);
    if (method.equals("POST")) {
      options.setHeader("Content-Type", "application/json").setData("{\"reason\": \"a test\"}");
    }
    return console.page().request().fetch(stack.orders().url() + path, options);
  }

  @Override
  public void close() {
    console.close();
  }
}
