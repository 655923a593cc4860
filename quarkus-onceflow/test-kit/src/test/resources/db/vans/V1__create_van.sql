-- An entity in two tables.
CREATE TABLE vehicle (
  id    uuid PRIMARY KEY,
  plate text NOT NULL
);

CREATE TABLE van (
  id   uuid PRIMARY KEY REFERENCES vehicle (id),
  load integer NOT NULL
);
