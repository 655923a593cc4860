CREATE SEQUENCE book_seq INCREMENT 50;
CREATE TABLE book (
    id     bigint  PRIMARY KEY,
    isbn   text    NOT NULL UNIQUE,
    copies integer NOT NULL
);
INSERT INTO book (id, isbn, copies) VALUES (-1, '978-0', 1000000);

CREATE SEQUENCE loan_seq INCREMENT 50;
CREATE TABLE loan (
    id     bigint PRIMARY KEY,
    number uuid   NOT NULL,
    entry  text   NOT NULL
);

CREATE SEQUENCE approval_seq INCREMENT 50;
CREATE TABLE approval (
    id     bigint PRIMARY KEY,
    number uuid   NOT NULL
);
