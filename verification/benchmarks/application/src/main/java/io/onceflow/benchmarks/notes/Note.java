package io.onceflow.benchmarks.notes;

/**
 * A row of {@code note}, as the caller sees it.
 *
 * @param id differs for every execution, so that equal answers come from one execution
 * @param subject the key under which the caller sent it
 */
public record Note(long id, String subject) {}
