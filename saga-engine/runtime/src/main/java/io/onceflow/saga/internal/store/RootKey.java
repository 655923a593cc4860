package io.onceflow.saga.internal.store;

/**
 * The root key of a saga, from which its step keys are made.
 *
 * @param scope whose key it is
 * @param value the key
 */
public record RootKey(String scope, String value) {}
