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
import com.easypost.model.TrackerCollection;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
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
              "find %s was answered %d %s: %s".formatted(reference, status, code, message));
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

  /** Asks the carriers anew what they take. */
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
    try {
      @Nullable ShipmentCollection page = calls.call("list", it -> it.shipment.all(query));
      if (page == null || page.getShipments() == null) {
        throw new EasyPostUnavailable("a list of shipments was answered without a body");
      }
      return page;
    } catch (EasyPostException e) {
      throw new EasyPostUnavailable("list shipments", e);
    }
  }

  /** The shipments with this tracking code, by their ids; carriers use codes again after months. */
  Set<String> withTrackingCode(String trackingCode) throws InterruptedException {
    try {
      @Nullable TrackerCollection page =
          calls.call(
              "find trackers",
              it -> it.tracker.all(new HashMap<>(Map.of("tracking_code", trackingCode))));
      if (page == null || page.getTrackers() == null) {
        throw new EasyPostUnavailable("a list of trackers was answered without a body");
      }
      return page.getTrackers().stream()
          .map(Tracker::getShipmentId)
          .filter(Objects::nonNull)
          .collect(Collectors.toSet());
    } catch (EasyPostException e) {
      throw new EasyPostUnavailable("find the trackers of " + trackingCode, e);
    }
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
          "EasyPost refuses %s (%d): %s; check onceflow.easypost.api-key and the account's balance",
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
    if (TEMPORARY.contains(code)) {
      throw new EasyPostUnavailable("%s was answered %s".formatted(what, code), e);
    }
    String message = e.getMessage() == null ? "" : e.getMessage();
    return new Answered.Rejected(e.getStatusCode(), code, message);
  }
}
