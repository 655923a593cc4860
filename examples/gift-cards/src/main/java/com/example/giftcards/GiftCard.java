package com.example.giftcards;

/**
 * A card that buys goods.
 *
 * @param code printed on it
 * @param balance in cents
 */
public record GiftCard(String code, long balance) {}
