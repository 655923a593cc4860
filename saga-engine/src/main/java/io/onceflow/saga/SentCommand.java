package io.onceflow.saga;

/**
 * A command that a saga sends now.
 *
 * @param name the step or compensation it is for: the last part of its step key
 * @param attempt from 1 on; only for the eye, the key does not know it
 */
public record SentCommand(String name, int attempt, Command command) {}
