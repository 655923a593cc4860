CREATE TABLE rental (
    id        uuid        PRIMARY KEY,
    customer  text        NOT NULL,
    skus      text[]      NOT NULL,
    cents     bigint      NOT NULL,
    return_at timestamptz NOT NULL,
    address   text,
    status    text        NOT NULL,
    signed_by text,
    reason    text
);

-- What the participants keep: each has tables of its own where it is an application of its own.
CREATE TABLE stock (
    sku     text PRIMARY KEY,
    on_hand int  NOT NULL CHECK (on_hand >= 0)
);

CREATE TABLE deposit (
    rental_id uuid   PRIMARY KEY,
    cents     bigint NOT NULL
);

CREATE TABLE delivery (
    rental_id uuid PRIMARY KEY,
    address   text NOT NULL
);

CREATE TABLE letter (
    rental_id uuid NOT NULL,
    text      text NOT NULL
);

INSERT INTO stock (sku, on_hand) VALUES ('drill', 1000), ('saw', 1000), ('ladder', 10), ('excavator', 1000), ('crane', 0);
