package io.onceflow.easypost;

import io.onceflow.reconciliation.Book;
import io.onceflow.reconciliation.BookEntry;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jboss.logging.Logger;

/**
 * EasyPost's labels as a book, by their tracking codes. What a label costs is between the merchant
 * and EasyPost: amounts are evidence, and not compared.
 */
@Singleton
class EasyPostBook implements Book {

  private static final Logger LOG = Logger.getLogger(EasyPostBook.class);

  private final EasyPostLabels labels;

  EasyPostBook(EasyPostLabels labels) {
    this.labels = labels;
  }

  @Override
  public String name() {
    return "easypost-carrier";
  }

  @Override
  public void read(Window window, Consumer<BookEntry> entries)
      throws IOException, InterruptedException {
    try {
      labels.list(window.from(), window.to(), label -> comparable(label).ifPresent(entries));
    } catch (EasyPostUnavailable e) {
      throw new IOException("EasyPost's list of labels cannot be read: " + e.getMessage(), e);
    }
  }

  @Override
  public List<BookEntry> find(String reference) throws IOException, InterruptedException {
    try {
      return labels.find(reference).stream().map(label -> entry(label, reference)).toList();
    } catch (EasyPostUnavailable e) {
      throw new IOException(
          "EasyPost cannot be asked for %s: %s".formatted(reference, e.getMessage()), e);
    }
  }

  /**
   * A letter has no tracking code, and one that another application has bought may have blanks in
   * it. Such a label must not hide the others.
   */
  private static Optional<BookEntry> comparable(ListedLabel label) {
    String code = label.trackingCode();
    if (code == null || code.isEmpty()) {
      return Optional.empty();
    }
    try {
      return Optional.of(entry(label, code));
    } catch (IllegalArgumentException noReference) {
      LOG.warnf(
          "the label of EasyPost's shipment %s is not compared: %s",
          label.shipmentId(), noReference.getMessage());
      return Optional.empty();
    }
  }

  /** A label whose money was asked for need not be known here. */
  private static BookEntry entry(ListedLabel label, String trackingCode) {
    return new BookEntry(
        trackingCode,
        label.isRefunded() ? "CANCELLED|" + BookEntry.ABSENT : "BOOKED",
        null,
        null,
        label.createdAt(),
        label.createdAt(),
        null,
        evidence(label));
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
