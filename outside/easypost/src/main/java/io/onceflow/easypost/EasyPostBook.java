package io.onceflow.easypost;

import io.onceflow.reconciliation.Book;
import io.onceflow.reconciliation.BookEntry;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * EasyPost's labels as a book, by their tracking codes. What a label costs is between the merchant
 * and EasyPost: amounts are evidence, and not compared.
 */
@Singleton
class EasyPostBook implements Book {

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
      labels.list(
          window.from(),
          window.to(),
          label -> {
            if (label.trackingCode() != null) {
              entries.accept(entry(label, label.trackingCode()));
            }
          });
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
