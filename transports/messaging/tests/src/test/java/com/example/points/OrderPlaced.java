package com.example.points;

import java.util.UUID;

/** What the shop says when an order was placed. */
public record OrderPlaced(UUID orderId, String customer, int amount) {}
