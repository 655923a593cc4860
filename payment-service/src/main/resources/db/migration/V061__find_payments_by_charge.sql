-- Where books are compared, payments are looked up by what the gateway calls the charge.
CREATE INDEX payment_by_gateway_reference ON payment (gateway_reference) WHERE gateway_reference IS NOT NULL;
