CREATE TABLE seat_request (
  reference text PRIMARY KEY,
  scope     text NOT NULL,
  step_key  text NOT NULL,
  status    text NOT NULL
);
