CREATE TABLE trip (
    id               uuid   PRIMARY KEY,
    flight           text   NOT NULL,
    price            bigint NOT NULL,
    status           text   NOT NULL,
    flight_reference text,
    reason           text
);
