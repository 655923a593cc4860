package com.example.rental;

import io.onceflow.message.Command;
import io.onceflow.message.Undoes;
import java.util.UUID;

@Command("bank.return-deposit")
@Undoes(TakeDeposit.class)
record ReturnDeposit(UUID rentalId) {}
