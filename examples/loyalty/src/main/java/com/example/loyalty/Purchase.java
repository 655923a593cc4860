package com.example.loyalty;

/**
 * A customer has bought something.
 *
 * @param amount in cents
 */
public record Purchase(String customer, int amount) {}
