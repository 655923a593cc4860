package io.onceflow.easypost;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.ProtocolException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.cert.Certificate;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.jspecify.annotations.Nullable;

/**
 * A connection whose answer is there as a whole once it is there at all. EasyPost's client asks
 * {@link InputStream#available} whether an answer has a body, which it answers with no while the
 * body is in transit. And it fails at a whole list where one label's rate is no number.
 */
final class WholeAnswer extends HttpsURLConnection {

  private static final Pattern RATE =
      Pattern.compile("(\"(?:[a-z]+_)?rate\"\\s*:\\s*)(\"[^\"\\\\]*\"|[-+.0-9A-Za-z]+)");

  private final HttpsURLConnection connection;
  private @Nullable InputStream answer;

  WholeAnswer(HttpsURLConnection connection) {
    super(connection.getURL());
    this.connection = connection;
  }

  /** Makes one for an address; nothing is sent yet. */
  static HttpsURLConnection to(String url) {
    try {
      return new WholeAnswer((HttpsURLConnection) URI.create(url).toURL().openConnection());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public InputStream getInputStream() throws IOException {
    InputStream whole = answer;
    if (whole == null) {
      whole = whole(connection.getInputStream());
      answer = whole;
    }
    return whole;
  }

  @Override
  public @Nullable InputStream getErrorStream() {
    InputStream body = connection.getErrorStream();
    try {
      return body == null ? null : whole(body);
    } catch (IOException e) {
      return null; // as where there is none: nothing is known of the result
    }
  }

  private static InputStream whole(InputStream body) throws IOException {
    try (body) {
      String text = new String(body.readAllBytes(), StandardCharsets.UTF_8);
      return new ByteArrayInputStream(withReadableRates(text).getBytes(StandardCharsets.UTF_8));
    }
  }

  /** A rate that the client cannot read, or reads as infinite, is none. */
  static String withReadableRates(String json) {
    return RATE.matcher(json)
        .replaceAll(
            rate ->
                isFinite(rate.group(2))
                    ? Matcher.quoteReplacement(rate.group())
                    : Matcher.quoteReplacement(rate.group(1) + "null"));
  }

  private static boolean isFinite(String price) {
    try {
      return price.equals("null") || Float.isFinite(Float.parseFloat(price.replace("\"", "")));
    } catch (NumberFormatException e) {
      return false;
    }
  }

  @Override
  public void connect() throws IOException {
    connection.connect();
  }

  @Override
  public void disconnect() {
    connection.disconnect();
  }

  @Override
  public boolean usingProxy() {
    return connection.usingProxy();
  }

  @Override
  public int getResponseCode() throws IOException {
    return connection.getResponseCode();
  }

  @Override
  public OutputStream getOutputStream() throws IOException {
    return connection.getOutputStream();
  }

  @Override
  public void setRequestMethod(String method) throws ProtocolException {
    connection.setRequestMethod(method);
  }

  @Override
  public String getRequestMethod() {
    return connection.getRequestMethod();
  }

  @Override
  public void setDoOutput(boolean doesOutput) {
    connection.setDoOutput(doesOutput);
  }

  @Override
  public void setUseCaches(boolean usesCaches) {
    connection.setUseCaches(usesCaches);
  }

  @Override
  public void setConnectTimeout(int millis) {
    connection.setConnectTimeout(millis);
  }

  @Override
  public void setReadTimeout(int millis) {
    connection.setReadTimeout(millis);
  }

  @Override
  public void setRequestProperty(String name, String value) {
    connection.setRequestProperty(name, value);
  }

  @Override
  public void addRequestProperty(String name, String value) {
    connection.addRequestProperty(name, value);
  }

  @Override
  public Map<String, List<String>> getHeaderFields() {
    return connection.getHeaderFields();
  }

  @Override
  public @Nullable String getHeaderField(String name) {
    return connection.getHeaderField(name);
  }

  @Override
  public String getCipherSuite() {
    return connection.getCipherSuite();
  }

  @Override
  public Certificate @Nullable [] getLocalCertificates() {
    return connection.getLocalCertificates();
  }

  @Override
  public Certificate[] getServerCertificates() throws SSLPeerUnverifiedException {
    return connection.getServerCertificates();
  }
}
