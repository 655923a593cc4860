package com.example.points;

/** A customer has come by. */
public record Visit(String customer) {}
