package io.onceflow.quarkus.devui;

import io.onceflow.message.Command;
import io.onceflow.message.Undoes;
import java.util.UUID;

/** Asks for the seat to be given up. */
@Command("seat.release")
@Undoes(ReserveSeat.class)
record ReleaseSeat(UUID bookingId) {}
