package io.onceflow.console.internal;

import io.onceflow.core.internal.Fingerprint;
import io.vertx.core.buffer.Buffer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Map;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;

/**
 * A file of the console in memory.
 *
 * @param type its media type
 * @param plain its bytes
 * @param compressed the same by gzip; null where that saves nothing
 * @param tag its strong entity tag, with quotation marks
 */
record ConsoleFile(String type, Buffer plain, @Nullable Buffer compressed, String tag) {

  private static final Map<String, String> TYPES =
      Map.of(
          "html", "text/html; charset=utf-8",
          "js", "text/javascript; charset=utf-8",
          "css", "text/css; charset=utf-8",
          "svg", "image/svg+xml",
          "png", "image/png",
          "txt", "text/plain; charset=utf-8",
          "woff2", "font/woff2");

  /** Compresses it, which is done once, when the application starts or is built. */
  static ConsoleFile of(String name, byte[] bytes) {
    byte[] zipped = zip(bytes);
    return new ConsoleFile(
        typeOf(name),
        Buffer.buffer(bytes),
        zipped.length < bytes.length ? Buffer.buffer(zipped) : null,
        '"' + digest(bytes) + '"');
  }

  /** Of an unknown kind it is bytes, which no browser runs. */
  private static String typeOf(String name) {
    String extension = name.substring(name.lastIndexOf('.') + 1);
    return TYPES.getOrDefault(extension, "application/octet-stream");
  }

  private static byte[] zip(byte[] bytes) {
    ByteArrayOutputStream zipped = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(zipped)) {
      gzip.write(bytes);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return zipped.toByteArray();
  }

  private static String digest(byte[] bytes) {
    return HexFormat.of().formatHex(Fingerprint.sha256().digest(bytes), 0, 16);
  }

  /** With {@code from} replaced in its text. */
  static byte[] replace(byte[] text, String from, String to) {
    return new String(text, StandardCharsets.UTF_8)
        .replace(from, to)
        .getBytes(StandardCharsets.UTF_8);
  }
}
