package com.example.rental;

import io.onceflow.message.Done;

@Done(ReserveItem.class)
record ItemReserved(String sku) {}
