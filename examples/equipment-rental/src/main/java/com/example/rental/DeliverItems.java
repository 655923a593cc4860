package com.example.rental;

import io.onceflow.message.Command;
import java.util.UUID;

@Command("courier.deliver")
record DeliverItems(UUID rentalId, String address) {}
