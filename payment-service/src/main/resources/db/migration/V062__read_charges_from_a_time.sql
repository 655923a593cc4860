-- Where books are compared, the simulated gateway's charges of a day are read, and not those of all days before it.
CREATE INDEX ledger_charges_by_time ON simulated_gateway.ledger (at, id) WHERE kind = 'CHARGE';
