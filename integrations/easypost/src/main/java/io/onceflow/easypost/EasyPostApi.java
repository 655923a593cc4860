package io.onceflow.easypost;

import com.easypost.exception.API.BadRequestError;
import com.easypost.exception.API.ForbiddenError;
import com.easypost.exception.API.InvalidRequestError;
import com.easypost.exception.API.NotFoundError;
import com.easypost.exception.API.PaymentError;
import com.easypost.exception.API.UnauthorizedError;
import com.easypost.exception.APIException;
import com.easypost.exception.EasyPostException;
import com.easypost.model.Shipment;
import com.easypost.model.ShipmentCollection;
import com.easypost.model.Tracker;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * The requests to EasyPost, one each, and what their <a
 * href="https://docs.easypost.com/docs/errors">errors</a> mean. The client library repeats nothing
 * by itself; Java's {@code HttpURLConnection}, which it uses, may, when a connection breaks.
 */
final class EasyPostApi {

  private static final Logger LOG = Logger.getLogger(EasyPostApi.class);

  private static final int NOT_FOUND = 404;

  /** The library's, for an answer that is not of EasyPost's form, such as an empty one. */
  private static final String WITHOUT_CODE = "NO RESPONSE CODE";

  /** Refusals of the moment: the request may succeed later. */
  private static final Set<String> TEMPORARY =
      Set.of(
          "SHIPMENT.PURCHASE.IN_PROGRESS",
          "SHIPMENT.POSTAGE.NO_RESPONSE",
          "SHIPMENT.POSTAGE.TIMED_OUT",
          "REFUND.NO_RESPONSE",
          "ADDRESS.VERIFY.UNAVAILABLE",
          "ADDRESS.VERIFY.UPSTREAM_UNAVAILABLE");

  private final EasyPostCalls calls;

  EasyPostApi(EasyPostCalls calls) {
    this.calls = calls;
  }

  /** What a request was answered. */
  sealed interface Answered {

    /** It was carried out. */
    record Done(Shipment shipment) implements Answered {}

    /** It was not carried out, and a repeat would not be. */
    record Rejected(int status, String code, String message) implements Answered {}
  }

  /**
   * Finds a shipment.
   *
   * @param reference ours, or EasyPost's id
   */
  Optional<Shipment> find(String reference) throws InterruptedException {
    Answered found = call("find", reference, it -> it.shipment.retrieve(reference));
    return switch (found) {
      case Answered.Done(Shipment shipment) -> Optional.of(shipment);
      case Answered.Rejected(int status, String code, String message) -> {
        if (status != NOT_FOUND) {
          throw new EasyPostUnavailable(
              "find %s was answered %s %s: %s".formatted(reference, status, code, message));
        }
        yield Optional.empty();
      }
    };
  }

  /** Reads a shipment that exists. */
  Shipment retrieve(String id) throws InterruptedException {
    return find(id)
        .orElseThrow(
            () ->
                new EasyPostUnavailable("shipment %s, which was made, is not found".formatted(id)));
  }

  /** Makes a shipment, which costs nothing. */
  Answered create(String reference, Map<String, Object> shipment) throws InterruptedException {
    return call("create", reference, it -> it.shipment.create(shipment));
  }

  /** Asks the carriers again what they take. */
  Answered rerate(String id) throws InterruptedException {
    return call("rerate", id, it -> it.shipment.newRates(id));
  }

  /** Buys a shipment, which EasyPost does once. */
  Answered buy(String id, String rate) throws InterruptedException {
    return call("buy", id, it -> it.shipment.buy(id, rateOf(rate)));
  }

  /** The client's library puts more into the map. */
  private static Map<String, Object> rateOf(String id) {
    return new HashMap<>(Map.of("rate", Map.of("id", id)));
  }

  /** Asks for the money of a label back. */
  Answered refund(String id) throws InterruptedException {
    return call("refund", id, it -> it.shipment.refund(id));
  }

  /** A page of shipments with labels, newest first. */
  ShipmentCollection list(Map<String, Object> query) throws InterruptedException {
    return read(
        "list",
        "list of shipments",
        it -> it.shipment.all(query),
        page ->
            page.getShipments() != null
                && page.getShipments().stream().allMatch(EasyPostApi::isListed));
  }

  private static boolean isListed(@Nullable Shipment shipment) {
    return shipment != null && shipment.getId() != null && shipment.getCreatedAt() != null;
  }

  /** The shipments with this tracking code, by their ids; carriers use codes again after months. */
  Set<String> withTrackingCode(String trackingCode) throws InterruptedException {
    return read(
            "find trackers",
            "list of the trackers of " + trackingCode,
            it -> it.tracker.all(new HashMap<>(Map.of("tracking_code", trackingCode))),
            page ->
                page.getTrackers() != null
                    && page.getTrackers().stream().allMatch(Objects::nonNull))
        .getTrackers()
        .stream()
        .map(Tracker::getShipmentId)
        .filter(Objects::nonNull)
        .collect(Collectors.toSet());
  }

  private <T> T read(
      String operation, String what, EasyPostCalls.Request<T> request, Predicate<T> isComplete)
      throws InterruptedException {
    @Nullable T page;
    try {
      page = calls.call(operation, request);
    } catch (EasyPostException | RuntimeException e) {
      // Of its runtime exceptions the usual one is a page that is not JSON.
      throw new EasyPostUnavailable("the " + what + " cannot be read", e);
    }
    if (page == null || !isComplete.test(page)) {
      throw new EasyPostUnavailable("the %s is not complete".formatted(what));
    }
    return page;
  }

  private Answered call(String operation, String about, EasyPostCalls.Request<Shipment> request)
      throws InterruptedException {
    String what = operation + " " + about;
    try {
      Shipment shipment = calls.call(operation, request);
      if (shipment == null || shipment.getId() == null) {
        throw new EasyPostUnavailable(what + " was answered without a body");
      }
      return new Answered.Done(shipment);
    } catch (InvalidRequestError | BadRequestError | NotFoundError e) {
      return rejected(what, e);
    } catch (UnauthorizedError | ForbiddenError | PaymentError e) {
      LOG.errorf(
          "EasyPost refuses %s (%s): %s; check onceflow.easypost.api-key and the account's balance",
          what, e.getStatusCode(), e.getMessage());
      throw new EasyPostUnavailable(what, e);
    } catch (EasyPostUnavailable e) {
      throw e;
    } catch (EasyPostException | RuntimeException e) {
      // Of its runtime exceptions the usual one is an error page that is not JSON.
      throw new EasyPostUnavailable(what, e);
    }
  }

  private static Answered rejected(String what, APIException e) {
    String code = e.getCode() == null ? "" : e.getCode();
    if (code.isEmpty() || code.equals(WITHOUT_CODE)) {
      throw new EasyPostUnavailable(
          "%s was answered %s without a code of EasyPost's".formatted(what, e.getStatusCode()), e);
    }
    if (TEMPORARY.contains(code)) {
      throw new EasyPostUnavailable("%s was answered %s".formatted(what, code), e);
    }
    String message = e.getMessage() == null ? "" : e.getMessage();
    return new Answered.Rejected(e.getStatusCode(), code, message);
  }
}
