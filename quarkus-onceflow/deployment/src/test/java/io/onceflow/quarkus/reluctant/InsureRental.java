package io.onceflow.quarkus.reluctant;

import io.onceflow.message.Command;
import java.util.UUID;

/** Asks for the insurance. */
@Command("tool.insure")
record InsureRental(UUID rentalId) {}
