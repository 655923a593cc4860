package io.onceflow.saga.store;

/**
 * What the step keys of a saga are made of.
 *
 * @param scope whose key it is
 * @param value the key
 */
public record RootKey(String scope, String value) {}
