package com.example.rental;

import io.onceflow.message.Command;
import java.util.UUID;

@Command("bank.take-deposit")
record TakeDeposit(UUID rentalId, long cents) {}
