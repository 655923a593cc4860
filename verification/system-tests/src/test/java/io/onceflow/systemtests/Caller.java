package io.onceflow.systemtests;

import java.util.List;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * A caller of the HTTP API.
 *
 * @param kind in words
 * @param token what they show, null for nothing
 * @param expected which column of the table is theirs
 * @param isLetIn whether the token is one of ours
 */
record Caller(
    String kind, @Nullable String token, ToIntFunction<AccessRow> expected, boolean isLetIn) {

  /** Callers without a valid token, in the order of the calls. */
  static List<Caller> untrusted(Issuer issuer, String owner) {
    return List.of(
        new Caller("anonymous", null, AccessRow::anonymous, false),
        bad("expired", issuer.expired(owner)),
        bad("of another issuer", issuer.ofAnotherIssuer(owner)),
        bad("signed by another key", issuer.forged(owner)),
        bad("alg: none", issuer.unsigned(owner)));
  }

  /** The callers with a valid token; the operator, who may do most, comes last. */
  static List<Caller> trusted(Issuer issuer, String owner, String stranger) {
    return List.of(
        new Caller("another customer", issuer.customer(stranger), AccessRow::stranger, true),
        new Caller("the customer", issuer.customer(owner), AccessRow::owner, true),
        new Caller("an operator", issuer.operator(), AccessRow::operator, true));
  }

  private static Caller bad(String kind, String token) {
    return new Caller(kind, token, AccessRow::badToken, false);
  }

  @Override
  public String toString() {
    return kind;
  }
}
