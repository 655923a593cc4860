CREATE TABLE orders (
  id      uuid   PRIMARY KEY,
  amount  bigint NOT NULL,
  method  text   NOT NULL,
  country text   NOT NULL,
  status  text   NOT NULL,
  reason  text
);

CREATE TABLE payment (
  order_id uuid   PRIMARY KEY,
  amount   bigint NOT NULL,
  status   text   NOT NULL
);

CREATE TABLE shipment (
  order_id uuid PRIMARY KEY,
  country  text NOT NULL,
  status   text NOT NULL
);
