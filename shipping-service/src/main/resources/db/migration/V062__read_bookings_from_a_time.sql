-- Where books are compared, the simulated carrier's bookings of a day are read, and not those of all days before it.
CREATE INDEX ledger_bookings_by_time ON simulated_carrier.ledger (at, id) WHERE kind = 'BOOKING';
