package io.onceflow.quarkus.console;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.quarkus.test.QuarkusUnitTest;
import io.quarkus.test.common.http.TestHTTPResource;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpResponse;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The page of an application that leads sagas, below a root path of its own. */
@Tag("nightly")
class ConsoleFilesTest {

  @RegisterExtension
  static final QuarkusUnitTest APPLICATION =
      BookingApplication.on("console_files").overrideConfigKey("quarkus.http.root-path", "/shop");

  private static final Pattern ASSET = Pattern.compile("\"(/[^\"]*/assets/main-[^\"]+\\.js)\"");

  @TestHTTPResource("/")
  URI application;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "sagas?status=STUCK",
        "sagas/0d0f0a52-6f8f-4e4d-b4b8-000000000001",
        "parked",
        "definitions/book.seat?from=1&to=2",
        "sign-in"
      })
  void eachViewHasTheSamePage(String view) throws Exception {
    HttpResponse<byte[]> page = get("console/" + view);

    assertThat(page.statusCode()).as(text(page)).isEqualTo(200);
    assertThat(header(page, "Content-Type")).isEqualTo("text/html; charset=utf-8");
    assertThat(header(page, "Cache-Control")).isEqualTo("no-cache");
    assertThat(text(page)).contains("<oc-console>", "\"/shop/console/assets/main-");
  }

  @Test
  void thePageRunsNothingFromElsewhereAndIsShownInNoFrame() throws Exception {
    HttpResponse<byte[]> page = get("console/");

    assertThat(header(page, "Content-Security-Policy"))
        .isEqualTo(
            "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self';"
                + " img-src 'self' data:; font-src 'self'; base-uri 'none'; form-action 'self';"
                + " frame-ancestors 'none'");
    assertThat(header(page, "X-Content-Type-Options")).isEqualTo("nosniff");
    assertThat(header(page, "Referrer-Policy")).isEqualTo("no-referrer");
    assertThat(header(page, "Cross-Origin-Opener-Policy")).isEqualTo("same-origin");
    assertThat(header(page, "Cross-Origin-Resource-Policy")).isEqualTo("same-origin");
    assertThat(text(page)).doesNotContain("<style", "style=", "onclick=").doesNotContain("http:");
  }

  @Test
  void aFileWithAHashInItsNameIsKeptForever() throws Exception {
    HttpResponse<byte[]> script = get(script());

    assertThat(script.statusCode()).isEqualTo(200);
    assertThat(header(script, "Content-Type")).isEqualTo("text/javascript; charset=utf-8");
    assertThat(header(script, "Cache-Control")).isEqualTo("public, max-age=31536000, immutable");
  }

  @Test
  void whatAcceptsGzipGetsTheSameByFewerBytes() throws Exception {
    HttpResponse<byte[]> zipped = get(script(), "Accept-Encoding", "br, gzip;q=0.8");
    HttpResponse<byte[]> plain = get(script(), "Accept-Encoding", "gzip;q=0, identity");

    assertThat(header(zipped, "Content-Encoding")).isEqualTo("gzip");
    assertThat(header(zipped, "Vary")).isEqualToIgnoringCase("Accept-Encoding");
    assertThat(zipped.body()).hasSizeLessThan(plain.body().length);
    assertThat(unzipped(zipped.body())).isEqualTo(plain.body());
    assertThat(plain.headers().firstValue("Content-Encoding")).isEmpty();
  }

  @Test
  void askedForItsHeadersAloneItSendsThem() throws Exception {
    HttpResponse<byte[]> head = requests().send("HEAD", "console/");

    assertThat(head.statusCode()).isEqualTo(200);
    assertThat(Integer.parseInt(header(head, "Content-Length")))
        .isEqualTo(get("console/").body().length);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "console/assets/main-00000000.js",
        "console/robots.txt",
        "console/assets/..%2f..%2fapplication.properties"
      })
  void aFileThatThereIsNotIsAProblem(String path) throws Exception {
    HttpResponse<byte[]> missing = get(path);

    assertThat(missing.statusCode()).isEqualTo(404);
    assertThat(header(missing, "Content-Type")).isEqualTo("application/problem+json");
  }

  @Test
  void withoutTheLastSlashOneIsSentToThePage() throws Exception {
    HttpResponse<byte[]> redirect = get("console?from=mail");

    assertThat(redirect.statusCode()).isEqualTo(302);
    assertThat(header(redirect, "Location")).isEqualTo("/shop/console/?from=mail");
  }

  @Test
  void nothingElseThanReadingIsToBeHadOfAView() throws Exception {
    assertThat(requests().send("DELETE", "console/sagas").statusCode()).isEqualTo(404);
  }

  private String script() throws Exception {
    Matcher asset = ASSET.matcher(text(get("console/")));
    assertThat(asset.find()).isTrue();
    return asset.group(1);
  }

  private HttpResponse<byte[]> get(String path, String... headers) throws Exception {
    return requests().get(path, headers);
  }

  private ConsoleRequests requests() {
    return new ConsoleRequests(application.resolve("/shop/"));
  }

  private static String header(HttpResponse<?> response, String name) {
    return String.join(", ", response.headers().allValues(name));
  }

  private static String text(HttpResponse<byte[]> response) {
    return new String(response.body(), UTF_8);
  }

  private static byte[] unzipped(byte[] zipped) throws IOException {
    try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(zipped))) {
      return in.readAllBytes();
    }
  }
}
