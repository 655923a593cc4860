package io.onceflow.launcher.check;

/**
 * Where a law is broken.
 *
 * @param law as a sentence
 * @param database where it shows
 * @param subject such as the saga's id
 * @param evidence what is stored there
 */
public record Finding(String law, String database, String subject, String evidence) {}
