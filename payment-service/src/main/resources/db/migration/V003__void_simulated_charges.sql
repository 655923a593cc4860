-- A charge that nobody can vouch for is made void: under its key nothing can be charged any more. The row stands where the
-- charge would, so that of a charge and its voiding exactly one is written.
ALTER TABLE simulated_gateway.ledger
  DROP CONSTRAINT ledger_kind,
  DROP CONSTRAINT ledger_amount_positive,
  ADD CONSTRAINT ledger_kind CHECK (kind IN ('CHARGE', 'REFUND', 'VOID')),
  ADD CONSTRAINT ledger_amount_positive_unless_void CHECK ((kind = 'VOID') = (amount = 0) AND amount >= 0);
