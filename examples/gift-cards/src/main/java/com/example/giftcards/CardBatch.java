package com.example.giftcards;

import java.util.UUID;

/**
 * Cards for a company.
 *
 * @param cards how many there are so far
 */
public record CardBatch(UUID id, int cards) {}
