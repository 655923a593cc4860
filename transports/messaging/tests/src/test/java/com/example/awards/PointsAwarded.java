package com.example.awards;

/** A customer has got points. */
public record PointsAwarded(String customer, int points) {}
