package io.onceflow.quarkus.reluctant;

import io.onceflow.message.Command;
import java.util.UUID;

/** Asks for the payment. */
@Command("tool.pay")
record PayRental(UUID rentalId) {}
