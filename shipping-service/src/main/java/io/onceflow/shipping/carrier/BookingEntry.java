package io.onceflow.shipping.carrier;

import io.onceflow.shipping.domain.BookingKey;
import java.util.UUID;

/** A booking that is to be written down under a tracking number, unless its key has an entry. */
record BookingEntry(BookingKey key, UUID orderId, String trackingNumber) {}
