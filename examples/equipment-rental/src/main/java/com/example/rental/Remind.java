package com.example.rental;

import io.onceflow.message.Command;
import java.util.UUID;

@Command("mail.remind")
record Remind(UUID rentalId, String customer) {}
