CREATE TABLE parcel (
  id     uuid   PRIMARY KEY,
  weight bigint NOT NULL,
  status text   NOT NULL
);
