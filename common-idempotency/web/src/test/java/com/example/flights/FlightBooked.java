package com.example.flights;

/** A message of an application. */
public record FlightBooked(String seatNumber) {}
