package com.example.rental;

import io.onceflow.message.Command;
import java.util.UUID;

@Command("warehouse.reserve")
record ReserveItem(UUID rentalId, String sku) {}
