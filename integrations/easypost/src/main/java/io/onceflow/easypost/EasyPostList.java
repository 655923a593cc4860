package io.onceflow.easypost;

import com.easypost.model.Rate;
import com.easypost.model.Shipment;
import com.easypost.model.ShipmentCollection;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * EasyPost's list of labels, a <a href="https://docs.easypost.com/docs/pagination">page</a> at a
 * time, newest first.
 */
final class EasyPostList {

  /** The most that EasyPost lists at once. */
  static final int PAGE = 100;

  private final EasyPostApi easyPost;

  EasyPostList(EasyPostApi easyPost) {
    this.easyPost = easyPost;
  }

  /** The shipments that were made from a time on and before another one, and have a label. */
  void read(Instant from, Instant before, Consumer<ListedLabel> reader)
      throws InterruptedException {
    Map<String, Object> query = new HashMap<>();
    query.put("purchased", true);
    query.put("page_size", PAGE);
    query.put("start_datetime", from.toString());
    query.put("end_datetime", before.toString());
    ShipmentCollection page;
    do {
      page = easyPost.list(query);
      page.getShipments().stream()
          .filter(it -> isWithin(it, from, before))
          .map(EasyPostList::listed)
          .forEach(reader);
    } while (turn(query, page, from));
  }

  /** EasyPost continues by id or by time: from the second page on it is by id. */
  private static boolean turn(Map<String, Object> query, ShipmentCollection page, Instant from) {
    List<Shipment> shipments = page.getShipments();
    if (!Boolean.TRUE.equals(page.getHasMore()) || shipments.isEmpty()) {
      return false;
    }
    Shipment last = shipments.get(shipments.size() - 1);
    query.remove("start_datetime");
    query.remove("end_datetime");
    query.put("before_id", last.getId());
    return !last.getCreatedAt().toInstant().isBefore(from);
  }

  private static boolean isWithin(Shipment shipment, Instant from, Instant before) {
    Instant at = shipment.getCreatedAt().toInstant();
    return !at.isBefore(from) && at.isBefore(before);
  }

  static ListedLabel listed(Shipment shipment) {
    Rate rate = shipment.getSelectedRate();
    return new ListedLabel(
        shipment.getId(),
        shipment.getReference(),
        shipment.getTrackingCode(),
        shipment.getRefundStatus(),
        rate == null || rate.getRate() == null ? null : new BigDecimal(rate.getRate().toString()),
        rate == null ? null : rate.getCurrency(),
        shipment.getCreatedAt().toInstant());
  }
}
