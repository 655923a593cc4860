package io.onceflow.console.internal.signin;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Where a browser may be sent after signing in: a view of this console and nothing else, or a link
 * to the sign-in could lead to a page that asks for passwords.
 */
final class ReturnAddress {

  private static final int LONGEST = 2_000;

  /** Browsers take it for a dot, and two of them for a way up. */
  private static final Pattern ENCODED_DOT = Pattern.compile("%2e", Pattern.CASE_INSENSITIVE);

  private ReturnAddress() {}

  /**
   * Checks what a link asks for.
   *
   * @param console the console's path, with a slash at its end
   * @param to the wanted address; null for the overview
   * @return empty if it is anything but the path and query of a view
   */
  static Optional<String> within(String console, @Nullable String to) {
    if (to == null) {
      return Optional.of(console);
    }
    return to.length() <= LONGEST && isPlain(to) && isView(console, to)
        ? Optional.of(to)
        : Optional.empty();
  }

  /** Browsers take a backslash for a slash, and leave out tabs and line breaks. */
  private static boolean isPlain(String to) {
    return to.chars().allMatch(c -> c > ' ' && c < 0x7f && c != '\\');
  }

  private static boolean isView(String console, String to) {
    try {
      URI address = new URI(to);
      return to.startsWith(console)
          && address.getScheme() == null
          && address.getRawAuthority() == null
          && !ENCODED_DOT.matcher(address.getRawPath()).find()
          && address.normalize().getPath().startsWith(console)
          && !isSignIn(console, address.normalize().getPath());
    } catch (URISyntaxException e) {
      return false;
    }
  }

  /** What starts or ends a session is no place to come back to. */
  private static boolean isSignIn(String console, String path) {
    return path.startsWith(console + "sign-in/") || path.startsWith(console + "sign-out");
  }
}
