CREATE TABLE account (
  customer text PRIMARY KEY,
  points   bigint  NOT NULL,
  changes  integer NOT NULL,
  CONSTRAINT account_customer_known CHECK (customer <> 'nobody')
);
