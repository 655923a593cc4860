import { css, html, LitElement, nothing } from "lit";
import { customElement, property } from "lit/decorators.js";
import { base } from "../styles/base";

export interface Column<T> {
  key: string;
  title: string;
  cell: (row: T) => unknown;
  /** Numbers stand at the end of their column. */
  end?: boolean;
  /** May be asked for by a click on the title: dispatches "sort" with this key. */
  sortable?: boolean;
  /** Left out where the page is narrower than 70rem. */
  wide?: boolean;
}

/** "age" or "-age": by what the rows are sorted, and from the end. */
export type Sort = string;

/** What a click on a column's title asks for: its order, and the other way around the second time. */
export function nextSort(now: Sort, key: string): Sort {
  return now === key ? "-" + key : key;
}

/**
 * Rows as a table, as cards on a phone. Arrow keys, Home and End move between the first links of the rows. The first
 * column names the row. Dispatches "sort" with the Sort asked for; with `selectable`, "selection" with the keys chosen.
 */
@customElement("oc-table")
export class OcTable<T> extends LitElement {
  @property({ attribute: false }) columns: Column<T>[] = [];
  @property({ attribute: false }) rows: readonly T[] = [];
  /** Tells rows apart, for selection and for the page's own bookkeeping. */
  @property({ attribute: false }) rowKey: (row: T) => string = (row) => JSON.stringify(row);
  @property() caption = "";
  @property() sort: Sort = "";
  @property() empty = "No rows";
  @property({ type: Boolean }) busy = false;
  @property({ type: Boolean }) selectable = false;
  @property({ attribute: false }) selected: ReadonlySet<string> = new Set();

  protected override render() {
    return html`
      <div class="scroll">
        <table role="table" aria-busy=${this.busy} @keydown=${this.onKey}>
          <caption class="heard">${this.caption}</caption>
          <thead role="rowgroup"><tr role="row">
            ${this.selectable ? html`<th role="columnheader" class="select">${this.renderAll()}</th>` : nothing}
            ${this.columns.map((c) => this.renderTitle(c))}
          </tr></thead>
          <tbody role="rowgroup">${this.rows.map((row) => this.renderRow(row))}</tbody>
        </table>
      </div>
      ${this.rows.length === 0 && !this.busy ? html`<p class="empty">${this.empty}</p>` : nothing}
    `;
  }

  private renderTitle(c: Column<T>) {
    const order = this.sort === c.key ? "ascending" : this.sort === "-" + c.key ? "descending" : "none";
    const mark = order === "none" ? "" : order === "ascending" ? "↑" : "↓";
    return html`<th role="columnheader" scope="col" class=${classes(c)} aria-sort=${c.sortable ? order : nothing}>
      ${c.sortable
        ? html`<button class="quiet" @click=${() => this.tell("sort", nextSort(this.sort, c.key))}>${c.title}<span aria-hidden="true">${mark}</span></button>`
        : c.title}
    </th>`;
  }

  private renderRow(row: T) {
    const key = this.rowKey(row);
    return html`<tr role="row" ?data-selected=${this.selected.has(key)}>
      ${this.selectable ? html`<td role="cell" class="select">${this.renderBox(key)}</td>` : nothing}
      ${this.columns.map((c, i) => i === 0
        ? html`<th role="rowheader" scope="row" class=${classes(c)} data-title=${c.title}>${c.cell(row)}</th>`
        : html`<td role="cell" class=${classes(c)} data-title=${c.title}>${c.cell(row)}</td>`)}
    </tr>`;
  }

  private renderBox(key: string) {
    return html`<input type="checkbox" aria-label="Select ${key}" .checked=${this.selected.has(key)} @change=${() => this.toggle(key)}>`;
  }

  private renderAll() {
    const all = this.rows.length > 0 && this.rows.every((row) => this.selected.has(this.rowKey(row)));
    return html`<input type="checkbox" aria-label="Select all of this page" .checked=${all}
      @change=${() => this.tell("selection", new Set(all ? [] : this.rows.map(this.rowKey)))}>`;
  }

  private toggle(key: string): void {
    const selected = new Set(this.selected);
    if (!selected.delete(key)) selected.add(key);
    this.tell("selection", selected);
  }

  private tell(name: string, detail: unknown): void {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }

  private onKey(e: KeyboardEvent): void {
    const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1, Home: -Infinity, End: Infinity };
    const step = steps[e.key];
    const from = e.composedPath()[0] as HTMLElement;
    if (!step || from.localName !== "a") return;
    const rows = [...this.renderRoot.querySelectorAll("tbody tr")];
    const at = rows.indexOf(from.closest("tr")!);
    if (at < 0) return;
    e.preventDefault();
    const to = Math.max(0, Math.min(rows.length - 1, at + step));
    rows[to].querySelector<HTMLElement>("a")?.focus();
  }

  static override styles = [
    base,
    css`
      :host { display: block; background: var(--surface); border: 1px solid var(--line); border-radius: 10px; overflow: clip; }
      .scroll { overflow-x: auto; }
      table { width: 100%; border-collapse: collapse; font-variant-numeric: tabular-nums; }
      th, td { padding: 0.4375rem var(--s3); text-align: start; vertical-align: middle; border-bottom: 1px solid var(--line); font-weight: 400; }
      th:first-child, td:first-child { padding-inline-start: var(--s4); }
      th:last-child, td:last-child { padding-inline-end: var(--s4); }
      tbody tr:last-child > * { border-bottom: 0; }
      thead th { font-size: 0.75rem; font-weight: 560; color: var(--muted); background: var(--sunken); white-space: nowrap; }
      thead button { font-size: inherit; padding: 0; min-height: 1.5rem; background: none; gap: var(--s1); }
      tbody tr:hover { background: var(--hover); }
      tr[data-selected] { background: var(--accent-tint); }
      .end { text-align: end; }
      .select { width: 2rem; }
      .empty { padding: var(--s6) var(--s4); }
      @media (max-width: 70rem) { .wide { display: none; } }
      @media (max-width: 40rem) {
        table, tbody { display: block; }
        thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
        tbody tr { display: grid; grid-template-columns: minmax(0, 1fr); padding: var(--s3); border-bottom: 1px solid var(--line); gap: 0.125rem; }
        tbody tr:last-child { border-bottom: 0; }
        tbody th, tbody td, tbody th:first-child, tbody td:first-child { display: grid; grid-template-columns: 7.5rem minmax(0, 1fr); gap: var(--s3); padding: 0.125rem 0; border: 0; text-align: start; align-items: baseline; overflow-wrap: anywhere; }
        tbody th::before, tbody td::before { content: attr(data-title); color: var(--muted); font-size: 0.8125rem; }
        tbody .wide { display: grid; }
        tbody .select::before { content: "Select"; }
        .select { width: auto; }
      }
    `,
  ];
}

function classes(c: { end?: boolean; wide?: boolean }): string {
  return [c.end && "end", c.wide && "wide"].filter(Boolean).join(" ");
}
