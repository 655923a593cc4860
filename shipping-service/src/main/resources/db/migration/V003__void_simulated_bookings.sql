-- A booking that nobody can vouch for is made void: under its key nothing can be booked any more. The row stands where the
-- booking would, so that of a booking and its voiding exactly one is written.
ALTER TABLE simulated_carrier.ledger
  DROP CONSTRAINT ledger_kind,
  ADD CONSTRAINT ledger_kind CHECK (kind IN ('BOOKING', 'CANCELLATION', 'VOID'));
