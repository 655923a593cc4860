package io.onceflow.systemtests;

/**
 * What a service's process holds at one moment, after a full garbage collection.
 *
 * @param heap bytes in use
 * @param threads live ones of the platform
 * @param series time series at {@code /q/metrics}
 * @param tagValues different values of their tags
 * @param openFiles file descriptors, sockets among them
 */
record Resources(long heap, long threads, long series, long tagValues, long openFiles) {}
