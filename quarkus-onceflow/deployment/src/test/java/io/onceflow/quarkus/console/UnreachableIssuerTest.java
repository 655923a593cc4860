package io.onceflow.quarkus.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.quarkus.builder.Version;
import io.quarkus.maven.dependency.Dependency;
import io.quarkus.test.QuarkusUnitTest;
import io.quarkus.test.common.http.TestHTTPResource;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An issuer that is away hinders those alone who would sign in there. */
@Tag("nightly")
class UnreachableIssuerTest {

  @RegisterExtension
  static final QuarkusUnitTest APPLICATION =
      BookingApplication.on("unreachable_issuer")
          .overrideConfigKey("mp.jwt.verify.audiences", "trips")
          .overrideConfigKey("onceflow.console.sign-in.enabled", "true")
          .overrideConfigKey("quarkus.oidc.auth-server-url", "http://127.0.0.1:1/realms/none")
          .overrideConfigKey("quarkus.oidc.credentials.secret", "a-secret-of-32-characters-or-more")
          .setForcedDependencies(
              List.of(
                  Dependency.of("io.quarkus", "quarkus-smallrye-jwt", Version.getVersion()),
                  Dependency.of("io.quarkus", "quarkus-oidc", Version.getVersion())));

  @TestHTTPResource("/")
  URI application;

  @ConfigProperty(name = "onceflow.dev-tokens.operator")
  String operator;

  @Test
  void bearerTokensAreGood() throws Exception {
    assertThat(get("/sagas", "Authorization", "Bearer " + operator).statusCode()).isEqualTo(200);
  }

  @Test
  void whoSendsNothingIsSentNowhere() throws Exception {
    HttpResponse<byte[]> answer = get("/sagas");

    assertThat(answer.statusCode()).isEqualTo(401);
    assertThat(type(answer)).isEqualTo("application/problem+json");
  }

  @Test
  void aSessionCannotBeVerified() throws Exception {
    HttpResponse<byte[]> answer = get("/sagas", "Cookie", "q_session=something");

    assertThat(answer.statusCode()).isEqualTo(503);
    assertThat(type(answer)).isEqualTo("application/problem+json");
    assertThat(answer.headers().firstValue("Retry-After")).hasValue("10");
  }

  /** A header that is not accepted is not made up for by a cookie. */
  @Test
  void aCookieCountsForNothingBesideAHeader() throws Exception {
    HttpResponse<byte[]> answer =
        get("/sagas", "Cookie", "q_session=something", "Authorization", "Bearer rubbish");

    assertThat(answer.statusCode()).isEqualTo(401);
  }

  @Test
  void thePageOffersTheIssuer() throws Exception {
    assertThat(new String(get("/console/session").body(), StandardCharsets.UTF_8))
        .contains("\"signInUrl\":\"/console/sign-in/oidc\"");
  }

  @Test
  void whoWantsToSignInIsToldOnThePage() throws Exception {
    HttpResponse<byte[]> answer = get("/console/sign-in/oidc?to=/console/sagas");

    assertThat(answer.statusCode()).isEqualTo(302);
    assertThat(answer.headers().firstValue("Location"))
        .hasValue("/console/sign-in?error=unreachable");
  }

  @ParameterizedTest
  @ValueSource(strings = {"https://evil.example.com/", "//evil.example.com/console/", "/orders"})
  void theSignInLeadsToNoOtherSite(String to) throws Exception {
    HttpResponse<byte[]> answer = get("/console/sign-in/oidc?to=" + to);

    assertThat(answer.statusCode()).isEqualTo(400);
    assertThat(type(answer)).isEqualTo("application/problem+json");
  }

  @Test
  void aPageOfAnotherSiteCannotSignOut() throws Exception {
    assertThat(get("/console/sign-out", "Sec-Fetch-Site", "cross-site").statusCode())
        .isEqualTo(403);
  }

  @Test
  void signingOutForgetsTheSessionHere() throws Exception {
    HttpResponse<byte[]> answer = get("/console/sign-out", "Cookie", "q_session=something");

    assertThat(answer.headers().firstValue("Location"))
        .as("%s %s", answer, new String(answer.body(), StandardCharsets.UTF_8))
        .hasValue("/console/sign-in");
    assertThat(answer.headers().allValues("Set-Cookie"))
        .anySatisfy(it -> assertThat(it).startsWith("q_session=").contains("Max-Age=0"));
  }

  private HttpResponse<byte[]> get(String path, String... headers) throws Exception {
    return new ConsoleRequests(application).get(path, headers);
  }

  private static String type(HttpResponse<byte[]> answer) {
    return answer.headers().firstValue("Content-Type").orElse("");
  }
}
