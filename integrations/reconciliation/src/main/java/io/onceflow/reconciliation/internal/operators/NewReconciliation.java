package io.onceflow.reconciliation.internal.operators;

import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/**
 * What is to be compared.
 *
 * @param comparison its name in the configuration
 * @param day in UTC, as text: a date that does not exist is told as such
 */
record NewReconciliation(
    @Schema(examples = "payments-gateway")
        @NotNull
        @Pattern(regexp = "[!-~]{1,100}", message = "must be the name of a comparison")
        String comparison,
    @Schema(examples = "2026-11-24")
        @NotNull
        @Pattern(
            regexp = "(19[7-9]\\d|2\\d{3})-\\d\\d-\\d\\d",
            message = "must be a date like 2026-11-24")
        String day) {}
