package io.onceflow.idempotency.internal.problem;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.idempotency.Caller.Answer;
import io.onceflow.idempotency.GuardedThings;
import io.onceflow.launcher.testing.ServersResource;
import io.quarkus.test.common.ResourceArg;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What somebody reads who follows a problem's type, or the link beside it. */
@QuarkusTest
@WithTestResource(
    value = ServersResource.class,
    initArgs = @ResourceArg(name = "database", value = "orders"))
class ProblemPagesTest extends GuardedThings {

  private static final String BROWSERS =
      "text/html,application/xhtml+xml,application/xml;q=0.9,image/webp,*/*;q=0.8";

  @ParameterizedTest
  @EnumSource(ProblemType.class)
  void eachTypeExplainsItselfInText(ProblemType type) {
    Answer page = get(type.path(), "*/*");
    assertThat(page.status()).isEqualTo(200);
    assertThat(page.header("Content-Type")).isEqualToIgnoringCase("text/plain;charset=UTF-8");
    assertThat(page.text())
        .startsWith("%s (%d)\n\n".formatted(type.title(), type.status()))
        .containsSubsequence(
            "What happened\n" + type.meaning(),
            "What took effect\n" + type.effect(),
            "What to do\n" + type.remedy());
  }

  @ParameterizedTest
  @EnumSource(ProblemType.class)
  void eachTypeExplainsItselfToABrowser(ProblemType type) {
    Answer page = get(type.path(), BROWSERS);
    assertThat(page.status()).isEqualTo(200);
    assertThat(page.header("Content-Type")).isEqualToIgnoringCase("text/html;charset=UTF-8");
    assertThat(page.header("Content-Security-Policy")).startsWith("default-src 'none'");
    assertThat(page.header("Vary")).containsIgnoringCase("Accept");
    assertThat(page.text())
        .startsWith("<!DOCTYPE html>")
        .contains("<h1>%s (%d)</h1>".formatted(type.title(), type.status()))
        .contains(type.remedy(), "<a href=\"/problems\">");
  }

  @ParameterizedTest
  @ValueSource(strings = {"*/*", BROWSERS})
  void anIndexListsThemAll(String accept) {
    Answer page = get("/problems", accept);
    assertThat(page.status()).isEqualTo(200);
    for (ProblemType type : ProblemType.values()) {
      assertThat(page.text()).contains(type.title(), type.path());
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"text/plain", "text/plain, text/html;q=0.5", "application/json", "text/*"})
  void whoeverAsksForNoHtmlGetsText(String accept) {
    Answer page = get("/problems/idempotency-key-reused", accept);
    assertThat(page.status()).isEqualTo(200);
    assertThat(page.header("Content-Type")).startsWith("text/plain");
  }

  @Test
  void theLimitsAreToldWhereTheyAreBroken() {
    assertThat(get("/problems/idempotency-key-malformed", "*/*").text())
        .contains("1 to 255 printable ASCII characters", "RFC 8941");
    assertThat(get("/problems/malformed-body", "*/*").text())
        .contains("100 deep", "250000 names and values", "between 1e-9999 and 1e9999", "UTF-8");
  }

  @Test
  void aTypeThatSaysNoMoreThanItsStatusHasAPageToo() {
    assertThat(get("/problems/not-found", "*/*").text()).isEqualTo("Not Found (404)\n\n");
    assertThat(get("/problems/not-found", BROWSERS).text()).contains("<h1>Not Found (404)</h1>");
  }

  @ParameterizedTest
  @ValueSource(strings = {"/problems/nonsense", "/problems/%3Cscript%3E"})
  void thereIsNoPageOfAProblemThatDoesNotExist(String path) {
    assertThat(get(path, BROWSERS).status()).isEqualTo(404);
  }

  @Test
  void nothingInAPageIsTakenForMarkup() {
    String html = ProblemPage.of("<b>&amp;", 400).html();
    assertThat(html).contains("<h1>&lt;b&gt;&amp;amp; (400)</h1>");
  }

  private Answer get(String path, String accept) {
    return ada.send(ada.request(path, "").GET().header("Accept", accept));
  }
}
