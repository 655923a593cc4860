package io.onceflow.quarkus.reluctant;

import io.onceflow.message.Command;
import java.util.UUID;

/** Asks for the tool. */
@Command("tool.lend")
record LendTool(UUID rentalId, String tool) {}
