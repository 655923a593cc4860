package io.onceflow.order.api;

import io.quarkiverse.resteasy.problem.HttpProblem;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;
import java.net.URI;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** The refusals that are this service's own; each type is a page that explains itself. */
enum OrderProblem {
  /** Somebody cancels what is done. */
  TOO_LATE(
      "It is too late to cancel this order",
      "The order has reached the point from which it only goes forward.",
      "Nothing has changed: the order stays as it is. Read it to see how it stands."),
  /** Somebody gives back what is not with them, or not any more. */
  ORDER_NOT_CONFIRMED(
      "Only a confirmed order can be returned",
      "The order is still being placed, was cancelled, or was returned before.",
      "Nothing has changed: the order stays as it is. Read it to see how it stands."),
  /** Somebody gives back what is on its way back. */
  RETURN_UNDER_WAY(
      "The order is being returned already",
      "A return of the order was asked for before, under another key, and has not ended.",
      "Nothing has changed: that return goes on. Read the order's return to see how it stands.");

  /** Where the pages of problem types are. */
  static final String PATH = "/problems/";

  private final String title;
  private final String meaning;
  private final String effect;

  OrderProblem(String title, String meaning, String effect) {
    this.title = title;
    this.meaning = meaning;
    this.effect = effect;
  }

  static Optional<OrderProblem> of(String slug) {
    return Arrays.stream(values()).filter(problem -> problem.slug().equals(slug)).findAny();
  }

  /** The answer, to be thrown. */
  HttpProblem because(String detail) {
    return HttpProblem.builder()
        .withType(URI.create(PATH + slug()))
        .withTitle(title)
        .withStatus(Response.Status.CONFLICT)
        .withDetail(detail)
        .withHeader(HttpHeaders.LINK, "<" + PATH + slug() + ">; rel=\"describedby\"")
        .build();
  }

  /** What somebody reads who follows the type. */
  String page() {
    return "%s (409)%n%n%s%n%s%n".formatted(title, meaning, effect);
  }

  private String slug() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
