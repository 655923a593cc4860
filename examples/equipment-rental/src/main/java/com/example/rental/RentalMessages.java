package com.example.rental;

import io.onceflow.message.Command;
import io.onceflow.message.Done;
import io.onceflow.message.Refused;
import io.onceflow.message.Undoes;
import java.util.UUID;

@Command("warehouse.reserve")
record ReserveItem(UUID rentalId, String sku) {}

@Done(ReserveItem.class)
record ItemReserved(String sku) {}

@Refused(ReserveItem.class)
record ItemMissing(String sku) {}

@Command("warehouse.release")
@Undoes(ReserveItem.class)
record ReleaseItem(UUID rentalId, String sku) {}

@Command("bank.take-deposit")
record TakeDeposit(UUID rentalId, long cents) {}

@Command("bank.return-deposit")
@Undoes(TakeDeposit.class)
record ReturnDeposit(UUID rentalId) {}

/** The event that a large rental waits for. */
record ContractSigned(String by) {}

@Command("mail.notify")
record Notify(UUID rentalId, String customer) {}

@Command("mail.remind")
record Remind(UUID rentalId, String customer) {}
