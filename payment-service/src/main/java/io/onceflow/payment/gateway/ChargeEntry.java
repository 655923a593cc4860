package io.onceflow.payment.gateway;

import io.onceflow.payment.domain.ChargeKey;
import io.onceflow.payment.domain.ProcessPayment;

/** A charge that is to be booked under a reference of its own, unless its key has an entry. */
record ChargeEntry(ChargeKey key, ProcessPayment command, String reference) {}
