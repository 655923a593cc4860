-- What the participants' test handlers write.
CREATE TABLE charge (
  subject   uuid    PRIMARY KEY,
  amount    bigint  NOT NULL,
  status    text    NOT NULL,
  reference text    NOT NULL,
  CONSTRAINT charge_amount_positive CHECK (amount > 0)
);
