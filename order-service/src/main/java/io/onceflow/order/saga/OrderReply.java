package io.onceflow.order.saga;

import io.onceflow.message.Done;
import io.onceflow.message.Refused;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What others answer to {@link Commands}; the shapes are fixed by {@code docs/messages}. */
public sealed interface OrderReply {

  /** Longer than the references of any gateway or carrier. */
  int LONGEST_REFERENCE = 255;

  /** Control characters such as line breaks and ESC, those that turn the direction, and halves. */
  Set<Byte> NOT_SHOWN =
      Set.of(
          Character.CONTROL,
          Character.FORMAT,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR,
          Character.SURROGATE,
          Character.UNASSIGNED,
          Character.PRIVATE_USE);

  /** Which order it is about. */
  UUID orderId();

  /** A step that was not done. */
  sealed interface NotDone extends OrderReply, Refused.WithReason {

    /** Why, as the participant says. */
    String reason();

    /** Such as {@code PAYMENT_DECLINED}, or {@code PAYMENT_EXPIRED} where it came too late. */
    @Override
    default String refusalReason() {
      return switch (this) {
        case PaymentDeclined refused -> "PAYMENT_" + because("DECLINED");
        case ShipmentRejected refused -> "SHIPMENT_" + because("REJECTED");
        case ReturnRejected refused -> "RETURN_" + because("REJECTED");
      };
    }

    /** The product's own words for a step that was not tried, or of which the result is unknown. */
    private String because(String refused) {
      return reason().equals("UNAVAILABLE") || reason().equals("EXPIRED") ? reason() : refused;
    }
  }

  /** An answer about a return. */
  sealed interface OfReturn extends OrderReply {

    /** Which one. */
    UUID returnId();
  }

  /** The charge was made. */
  @Done(Commands.ProcessPayment.class)
  record PaymentProcessed(
      UUID orderId, UUID paymentId, long amount, String currency, String gatewayReference)
      implements OrderReply {
    public PaymentProcessed {
      present(orderId, paymentId, gatewayReference);
      recordable("gatewayReference", gatewayReference);
    }
  }

  /** The gateway would not charge. */
  @Refused(Commands.ProcessPayment.class)
  record PaymentDeclined(UUID orderId, String reason) implements NotDone {
    public PaymentDeclined {
      present(orderId, reason);
    }
  }

  /** The charge was given back; the amount is 0 when nothing had been charged. */
  @Done(Commands.RefundPayment.class)
  record PaymentRefunded(UUID orderId, long amount) implements OrderReply {
    public PaymentRefunded {
      present(orderId);
    }
  }

  /** The carrier has taken the booking. */
  @Done(Commands.ArrangeShipment.class)
  record ShipmentArranged(UUID orderId, UUID shipmentId, String trackingNumber)
      implements OrderReply {
    public ShipmentArranged {
      present(orderId, shipmentId, trackingNumber);
      recordable("trackingNumber", trackingNumber);
    }
  }

  /** The carrier would not take it. */
  @Refused(Commands.ArrangeShipment.class)
  record ShipmentRejected(UUID orderId, String reason) implements NotDone {
    public ShipmentRejected {
      present(orderId, reason);
    }
  }

  /** The booking was taken back. */
  @Done(Commands.CancelShipment.class)
  record ShipmentCancelled(UUID orderId) implements OrderReply {
    public ShipmentCancelled {
      present(orderId);
    }
  }

  /** The carrier will fetch it. */
  @Done(Commands.ArrangeReturn.class)
  record ReturnArranged(UUID returnId, UUID orderId, UUID shipmentId, String trackingNumber)
      implements OfReturn {
    public ReturnArranged {
      present(returnId, orderId, shipmentId, trackingNumber);
      recordable("trackingNumber", trackingNumber);
    }
  }

  /** The carrier will not fetch it. */
  @Refused(Commands.ArrangeReturn.class)
  record ReturnRejected(UUID returnId, UUID orderId, String reason) implements OfReturn, NotDone {
    public ReturnRejected {
      present(returnId, orderId, reason);
    }
  }

  /** The carrier will not come, or not any more. */
  @Done(Commands.CancelReturn.class)
  record ReturnCancelled(UUID returnId, UUID orderId) implements OfReturn {
    public ReturnCancelled {
      present(returnId, orderId);
    }
  }

  /** The customer has the money back; the amount is in minor units. */
  @Done(Commands.ReturnPayment.class)
  record PaymentReturned(UUID orderId, long amount) implements OrderReply {
    public PaymentReturned {
      present(orderId);
    }
  }

  /** What an order keeps and shows as it came: one line of printable characters. */
  private static void recordable(String component, String text) {
    boolean isPrintable =
        text.codePoints().noneMatch(c -> NOT_SHOWN.contains((byte) Character.getType(c)));
    if (text.isBlank() || text.length() > LONGEST_REFERENCE || !isPrintable) {
      throw new IllegalArgumentException(
          "%s has to be at most %s printable characters on one line"
              .formatted(component, LONGEST_REFERENCE));
    }
  }

  private static void present(@Nullable Object... components) {
    if (Stream.of(components).anyMatch(Objects::isNull)) {
      throw new IllegalArgumentException("a component is missing");
    }
  }
}
