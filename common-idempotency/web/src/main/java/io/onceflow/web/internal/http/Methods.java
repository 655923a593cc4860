package io.onceflow.web.internal.http;

import java.util.Set;

/** The methods of RFC 9110 and RFC 5789. */
final class Methods {

  private static final Set<String> KNOWN =
      Set.of("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT");

  private Methods() {}

  static boolean isKnown(String method) {
    return KNOWN.contains(method);
  }
}
