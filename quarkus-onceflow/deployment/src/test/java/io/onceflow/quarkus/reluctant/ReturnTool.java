package io.onceflow.quarkus.reluctant;

import io.onceflow.message.Command;
import io.onceflow.message.Undoes;
import java.util.UUID;

/** Asks for the tool to be taken back. */
@Command("tool.return")
@Undoes(LendTool.class)
record ReturnTool(UUID rentalId) {}
