package com.example.awards;

/** A customer has bought something. */
public record Purchase(String customer, int amount) {}
