package io.onceflow.benchmarks.notes;

/**
 * What is to be noted.
 *
 * @param subject the key under which the caller sends it
 */
public record NewNote(String subject) {}
