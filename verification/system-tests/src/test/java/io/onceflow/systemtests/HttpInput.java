package io.onceflow.systemtests;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;

/**
 * One request, as bytes.
 *
 * @param about which operation it began as
 * @param target path and query, as they go over the wire
 * @param pace of the body
 */
record HttpInput(
    ApiOperation about,
    String method,
    String target,
    List<String> headers,
    byte[] body,
    Pace pace) {

  /** How the body is sent. */
  enum Pace {
    AT_ONCE,
    BYTE_BY_BYTE,
    STOPS_HALFWAY
  }

  /** A little more than a service takes. */
  private static final int LARGEST_BODY = 1_050_000;

  private static final long BETWEEN_BYTES_NANOS = 2_000_000;

  /** Of a body that comes byte by byte, so that it does not take longer than a service waits. */
  private static final int SLOW_BYTES = 800;

  /** Makes a request that is good but for some things that chance spoils. */
  static HttpInput of(ApiOperation about, String token, Dice dice) {
    byte[] body = body(about, dice);
    List<String> headers = new ArrayList<>();
    headers.add("Host: onceflow");
    headers.add("Authorization: Bearer " + token);
    about
        .parameters("header")
        .forEach(header -> header(header.name(), dice).ifPresent(headers::add));
    if (body.length > 0 || dice.chance(0.1)) {
      headers.add("Content-Type: " + OddHeaders.contentType(dice));
    }
    OddHeaders.add(headers, dice);
    String method = dice.chance(0.1) ? OddHeaders.method(dice) : about.method();
    return new HttpInput(about, method, target(about, dice), headers, body, pace(body, dice));
  }

  private static Pace pace(byte[] body, Dice dice) {
    if (body.length == 0 || !dice.chance(0.015)) {
      return Pace.AT_ONCE;
    }
    return dice.chance(0.1) ? Pace.STOPS_HALFWAY : Pace.BYTE_BY_BYTE;
  }

  private static Optional<String> header(String name, Dice dice) {
    return OddHeaders.described(name, dice);
  }

  private static byte[] body(ApiOperation about, Dice dice) {
    if (about.body() != null) {
      if (dice.chance(0.03)) {
        return new byte[0];
      }
      return dice.chance(0.02)
          ? CostlyJson.of(about.body(), LARGEST_BODY, dice)
          : JsonMutations.mutate(about.body(), dice);
    }
    return dice.chance(0.1) ? Rubbish.text(dice).getBytes(StandardCharsets.UTF_8) : new byte[0];
  }

  private static String target(ApiOperation about, Dice dice) {
    String path = dice.chance(0.05) ? "/" + Long.toHexString(dice.any()) : about.path();
    for (ApiOperation.Parameter parameter : about.parameters("path")) {
      String value = dice.chance(0.4) ? Rubbish.text(dice) : parameter.sample();
      path = path.replace("{" + parameter.name() + "}", encoded(value, dice));
    }
    StringBuilder target = new StringBuilder(dice.chance(0.03) ? path + "/" : path);
    char separator = '?';
    for (ApiOperation.Parameter parameter : about.parameters("query")) {
      if (dice.chance(0.7)) {
        String value = dice.chance(0.5) ? value(dice) : parameter.sample();
        target.append(separator).append(parameter.name()).append('=').append(encoded(value, dice));
        separator = '&';
      }
    }
    if (dice.chance(0.05)) {
      target.append(separator).append(encoded(Rubbish.text(dice), dice));
    }
    return target.length() > LONGEST ? target.substring(0, LONGEST) : target.toString();
  }

  /** About as long as the server reads; now and then beyond. */
  private static final int LONGEST = 4_200;

  private static String value(Dice dice) {
    return dice.chance(0.3) ? Rubbish.number(dice) : Rubbish.text(dice);
  }

  /** Percent-encoded as UTF-8; now and then as it is, or as bytes that are no text. */
  private static String encoded(String value, Dice dice) {
    if (dice.chance(0.03)) {
      return "%c0%80%ff" + value.replaceAll("[^!-~]", "");
    }
    if (dice.chance(0.05)) {
      return value.replaceAll("[^!-~]", "").replace("?", "");
    }
    StringBuilder encoded = new StringBuilder();
    for (byte b : value.getBytes(StandardCharsets.UTF_8)) {
      boolean plain =
          b >= '0' && b <= '9' || b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b == '-';
      encoded.append(plain ? String.valueOf((char) b) : "%%%02X".formatted(b & 0xff));
    }
    return encoded.toString();
  }

  /** Sends it at its pace. */
  void sendOver(Wire wire) throws IOException {
    byte[] all = bytes();
    switch (pace) {
      case AT_ONCE -> wire.send(all);
      case STOPS_HALFWAY -> wire.send(Arrays.copyOf(all, all.length - body.length / 2 - 1));
      case BYTE_BY_BYTE -> {
        int slow = Math.min(body.length, SLOW_BYTES);
        wire.send(Arrays.copyOf(all, all.length - slow));
        for (int i = all.length - slow; i < all.length; i++) {
          LockSupport.parkNanos(BETWEEN_BYTES_NANOS);
          wire.send(new byte[] {all[i]});
        }
      }
    }
  }

  private byte[] bytes() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    bytes.writeBytes(ascii(method + " " + target + " HTTP/1.1\r\n"));
    headers.forEach(header -> bytes.writeBytes((header + "\r\n").getBytes(StandardCharsets.UTF_8)));
    if (body.length > 0 || method.equals("POST")) {
      bytes.writeBytes(ascii("Content-Length: " + body.length + "\r\n"));
    }
    bytes.writeBytes(ascii("\r\n"));
    bytes.writeBytes(body);
    return bytes.toByteArray();
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  @Override
  public String toString() {
    String all =
        new String(bytes(), StandardCharsets.UTF_8)
            .replaceAll("Bearer [^\r]+", "Bearer …")
            .replaceAll("(.)\\1{40,}", "$1…");
    String shown =
        all.length() <= SHOWN ? all : all.substring(0, SHOWN) + "… " + all.length() + " characters";
    return pace == Pace.AT_ONCE ? shown : shown + "\n" + pace;
  }

  private static final int SHOWN = 2_000;
}
