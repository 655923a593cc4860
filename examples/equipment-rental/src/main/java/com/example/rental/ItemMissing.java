package com.example.rental;

import io.onceflow.message.Refused;

@Refused(ReserveItem.class)
record ItemMissing(String sku) {}
