CREATE TABLE trip (
  id        uuid NOT NULL PRIMARY KEY,
  flight    text NOT NULL,
  status    text NOT NULL,
  reference text
);
