package com.example.rental;

import io.onceflow.message.Command;
import io.onceflow.message.Undoes;
import java.util.UUID;

@Command("warehouse.release")
@Undoes(ReserveItem.class)
record ReleaseItem(UUID rentalId, String sku) {}
