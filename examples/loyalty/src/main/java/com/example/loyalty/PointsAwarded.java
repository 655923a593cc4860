package com.example.loyalty;

/** A customer has got points. */
public record PointsAwarded(String customer, int points) {}
