package io.onceflow.quarkus.direct;

import io.onceflow.message.Command;
import io.onceflow.message.Done;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import java.util.UUID;

/** What the saga is about. */
@Entity
class Parcel {

  /** While it is true, no parcel knows what to do with its label. */
  static volatile boolean hasDefect;

  @Id UUID id;
  String status = "PACKED";

  @Command("label.print")
  record PrintLabel(UUID parcelId) {}

  @Done(PrintLabel.class)
  record LabelPrinted(UUID parcelId) {}

  PrintLabel printLabel() {
    return new PrintLabel(id);
  }

  void labelled(LabelPrinted reply) {
    if (hasDefect) {
      throw new IllegalStateException("a defect of the saga");
    }
    status = "LABELLED";
  }

  void send() {
    status += " AND SENT";
  }
}
