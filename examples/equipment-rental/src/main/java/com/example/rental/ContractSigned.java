package com.example.rental;

/** The event that a rental waits for. */
record ContractSigned(String by) {}
