package io.onceflow.quarkus.written;

import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import jakarta.persistence.Table;

/** A row that no handler takes; its id is no UUID. */
@Entity
@Table(name = "ledger_entry")
class LedgerEntry {

  @Id
  @GeneratedValue(strategy = GenerationType.IDENTITY)
  Long id;

  String text;

  LedgerEntry() {}

  LedgerEntry(String text) {
    this.text = text;
  }
}
