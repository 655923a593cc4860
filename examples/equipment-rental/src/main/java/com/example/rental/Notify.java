package com.example.rental;

import io.onceflow.message.Command;
import java.util.UUID;

@Command("mail.notify")
record Notify(UUID rentalId, String customer) {}
