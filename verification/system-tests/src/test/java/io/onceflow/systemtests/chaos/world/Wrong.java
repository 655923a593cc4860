package io.onceflow.systemtests.chaos.world;

/**
 * Something that is not as a law wants it.
 *
 * @param orderId with which order; empty if with none
 */
record Wrong(String orderId, String what) {}
