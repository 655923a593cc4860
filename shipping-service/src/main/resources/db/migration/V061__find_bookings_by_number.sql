-- Where books are compared, bookings are looked up by their number.
CREATE INDEX shipment_by_tracking_number ON shipment (tracking_number) WHERE tracking_number IS NOT NULL;
CREATE INDEX ledger_by_tracking_number ON simulated_carrier.ledger (tracking_number);
