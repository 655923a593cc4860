-- What the guard's test resource writes: the business of nobody.
CREATE TABLE thing_maker (
  name text PRIMARY KEY
);

CREATE TABLE thing (
  id    uuid PRIMARY KEY,
  name  text NOT NULL,
  -- Checked at the commit only: naming a maker who does not exist spoils a commit that all before it prepared.
  maker text REFERENCES thing_maker (name) DEFERRABLE INITIALLY DEFERRED
);
