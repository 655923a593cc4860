package io.onceflow.core.internal;

/**
 * One spelling for each decimal value: that of ECMAScript's {@code Number::toString}, which RFC
 * 8785 §3.2.2.3 prescribes, but laid out from all the digits that were sent and not from the double
 * next to them.
 *
 * <p>The two are the same for every number that comes back from a double as it went in, which is
 * every number that I-JSON tells senders to use. Any other, such as an account number of 17 digits,
 * keeps its exact value here, where RFC 8785 would round it and so make two of them equal.
 */
public final class CanonicalNumber {

  /**
   * The largest power of ten, either way. Decimal128, the widest decimal format in use, ends at
   * 6144; larger exponents only serve to exhaust memory when they are written out.
   */
  public static final int LARGEST_EXPONENT = 9_999;

  /** An exponent with more digits than this is too large whatever the digits before it are. */
  private static final int MOST_EXPONENT_DIGITS = 15;

  /** ECMAScript writes integers of up to this many digits without an exponent. */
  private static final int LONGEST_INTEGER = 21;

  /** ECMAScript writes up to this many zeros after the point without an exponent. */
  private static final int MOST_LEADING_ZEROS = 5;

  private CanonicalNumber() {}

  /**
   * @param json a number as the grammar of JSON has it
   * @throws MalformedBody when its power of ten is beyond {@value #LARGEST_EXPONENT}, either way
   */
  public static String of(String json) {
    int e = Math.max(json.indexOf('e'), json.indexOf('E'));
    String coefficient = e < 0 ? json : json.substring(0, e);
    boolean negative = coefficient.startsWith("-");
    int point = coefficient.indexOf('.');
    String integer =
        coefficient.substring(negative ? 1 : 0, point < 0 ? coefficient.length() : point);
    String fraction = point < 0 ? "" : coefficient.substring(point + 1);
    String all = integer + fraction;
    int first = firstDigit(all);
    if (first == all.length()) {
      return "0";
    }
    String digits = all.substring(first, lastDigit(all) + 1);
    long pointAt = integer.length() - first + (e < 0 ? 0 : exponent(json.substring(e + 1)));
    if (Math.abs(pointAt - 1) > LARGEST_EXPONENT) {
      throw beyond();
    }
    return (negative ? "-" : "") + layOut(digits, (int) pointAt);
  }

  /** Lays out {@code 0.digits × 10^pointAt} as ECMAScript does. */
  private static String layOut(String digits, int pointAt) {
    int count = digits.length();
    if (count <= pointAt && pointAt <= LONGEST_INTEGER) {
      return digits + "0".repeat(pointAt - count);
    }
    if (0 < pointAt && pointAt <= LONGEST_INTEGER) {
      return digits.substring(0, pointAt) + "." + digits.substring(pointAt);
    }
    if (-MOST_LEADING_ZEROS <= pointAt && pointAt <= 0) {
      return "0." + "0".repeat(-pointAt) + digits;
    }
    int exponent = pointAt - 1;
    return digits.charAt(0)
        + (count > 1 ? "." + digits.substring(1) : "")
        + (exponent < 0 ? "e" : "e+")
        + exponent;
  }

  private static long exponent(String text) {
    boolean signed = text.startsWith("-") || text.startsWith("+");
    String digits = text.substring(signed ? 1 : 0);
    String significant = digits.substring(Math.min(firstDigit(digits), digits.length() - 1));
    if (significant.length() > MOST_EXPONENT_DIGITS) {
      throw beyond();
    }
    long size = Long.parseLong(significant);
    return text.startsWith("-") ? -size : size;
  }

  /** Where the first digit other than zero stands; the length when there is none. */
  private static int firstDigit(String digits) {
    int i = 0;
    while (i < digits.length() && digits.charAt(i) == '0') {
      i++;
    }
    return i;
  }

  private static int lastDigit(String digits) {
    int i = digits.length() - 1;
    while (digits.charAt(i) == '0') {
      i--;
    }
    return i;
  }

  private static MalformedBody beyond() {
    return new MalformedBody(
        "it holds a number beyond 1e%s or below 1e-%<d".formatted(LARGEST_EXPONENT));
  }
}
