package io.onceflow.easypost;

import io.onceflow.reconciliation.Book;
import io.onceflow.reconciliation.BookEntry;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * EasyPost's labels as a book, by their tracking codes. What a label costs is between the merchant
 * and EasyPost: amounts are evidence, and not compared.
 */
@Singleton
class EasyPostBook implements Book {

  private static final Logger LOG = Logger.getLogger(EasyPostBook.class);

  private final EasyPostLabels labels;
  private final EasyPostRefundTable refunds;

  EasyPostBook(EasyPostLabels labels, EasyPostRefundTable refunds) {
    this.labels = labels;
    this.refunds = refunds;
  }

  @Override
  public String name() {
    return "easypost-carrier";
  }

  @Override
  public void read(Window window, Consumer<BookEntry> entries)
      throws IOException, InterruptedException {
    Set<String> resolved = resolved();
    try {
      labels.list(
          window.from(), window.to(), label -> comparable(label, resolved).ifPresent(entries));
    } catch (EasyPostUnavailable e) {
      throw new IOException("EasyPost's list of labels cannot be read: " + e.getMessage(), e);
    }
  }

  @Override
  public List<BookEntry> find(String reference) throws IOException, InterruptedException {
    try {
      List<ListedLabel> found = labels.find(reference);
      found.forEach(this::recordFailure);
      Set<String> resolved =
          found.stream()
              .map(ListedLabel::shipmentId)
              .filter(refunds::isResolved)
              .collect(Collectors.toSet());
      return found.stream().map(label -> entry(label, reference, resolved)).toList();
    } catch (EasyPostUnavailable e) {
      throw new IOException(
          "EasyPost cannot be asked for %s: %s".formatted(reference, e.getMessage()), e);
    }
  }

  /** Carriers reject a refund weeks after it was submitted, and EasyPost tells no event of it. */
  @Override
  public List<String> changedIn(Window window, @Nullable String after) throws IOException {
    try {
      return refunds.begunIn(window.from(), window.to(), after);
    } catch (SQLException e) {
      throw new IOException("the refunds of a day cannot be read: " + e.getMessage(), e);
    }
  }

  private Set<String> resolved() throws IOException {
    try {
      return refunds.resolved();
    } catch (SQLException e) {
      throw new IOException("the refunds that are resolved cannot be read: " + e.getMessage(), e);
    }
  }

  private void recordFailure(ListedLabel label) {
    String status = label.refundStatus();
    if (status != null && !label.isRefunded()) {
      refunds.failed(label.shipmentId(), status);
    }
  }

  /**
   * A letter has no tracking code, and one that another application has bought may have blanks in
   * it. Such a label must not hide the others.
   */
  private static Optional<BookEntry> comparable(ListedLabel label, Set<String> resolved) {
    String code = label.trackingCode();
    if (code == null || code.isEmpty()) {
      return Optional.empty();
    }
    try {
      return Optional.of(entry(label, code, resolved));
    } catch (IllegalArgumentException noReference) {
      LOG.warnf(
          "the label of EasyPost's shipment %s is not compared: %s",
          label.shipmentId(), noReference.getMessage());
      return Optional.empty();
    }
  }

  private static BookEntry entry(ListedLabel label, String trackingCode, Set<String> resolved) {
    return new BookEntry(
        trackingCode,
        state(label, resolved),
        null,
        null,
        label.createdAt(),
        label.createdAt(),
        null,
        evidence(label));
  }

  /**
   * A label whose money was asked for need not be known here. Of one whose refund an operator has
   * ended, any state of our book agrees.
   */
  private static String state(ListedLabel label, Set<String> resolved) {
    if (label.isRefunded()) {
      return "CANCELLED|" + BookEntry.ABSENT;
    }
    return resolved.contains(label.shipmentId())
        ? "BOOKED|CANCELLED|" + BookEntry.ABSENT
        : "BOOKED";
  }

  private static Map<String, String> evidence(ListedLabel label) {
    Map<String, String> evidence = new HashMap<>();
    evidence.put("easyPostShipment", label.shipmentId());
    if (label.reference() != null) {
      evidence.put("key", label.reference());
    }
    if (label.refundStatus() != null) {
      evidence.put("refund", label.refundStatus());
    }
    if (label.price() != null && label.currency() != null) {
      evidence.put("price", label.price().toPlainString() + " " + label.currency());
    }
    return evidence;
  }
}
