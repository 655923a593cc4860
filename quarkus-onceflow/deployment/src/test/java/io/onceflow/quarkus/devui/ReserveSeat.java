package io.onceflow.quarkus.devui;

import io.onceflow.message.Command;
import java.util.UUID;

/** Asks for a seat. */
@Command("seat.reserve")
record ReserveSeat(UUID bookingId, String flight) {}
