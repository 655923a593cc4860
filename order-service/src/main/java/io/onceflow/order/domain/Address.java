package io.onceflow.order.domain;

/**
 * Where an order is shipped.
 *
 * @param name of the recipient
 * @param line1 street and number
 * @param city of the recipient
 * @param postalCode in the country's own form
 * @param country ISO 3166-1 alpha-2
 */
public record Address(String name, String line1, String city, String postalCode, String country) {}
