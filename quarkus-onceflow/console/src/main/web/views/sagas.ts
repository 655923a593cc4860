import { css, html, nothing } from "lit";
import { customElement, state } from "lit/decorators.js";
import { api } from "../api";
import { absolute, count, short } from "../format";
import { icons } from "../icons";
import { link, router } from "../router";
import { stateOf, type SagaLine, type SagaPage } from "../sagas";
import { session } from "../session";
import { Loader, Poll, View } from "../view";
import type { Column } from "../elements/table";
import "../elements/live";
import "../elements/problem";
import "../elements/status";
import "../elements/table";
import "../elements/time";
import "../elements/toolbar";

const STATUSES = ["QUEUED", "RUNNING", "COMPENSATING", "STUCK", "COMPLETED", "COMPENSATED"];
const OPEN = ["QUEUED", "RUNNING", "COMPENSATING", "STUCK"];
/** What the list can be narrowed by; each is a parameter of the address and of the API. */
const FILTERS = ["status", "open", "definition", "version", "step", "direction", "command", "failure", "reason", "olderThan", "startedAfter", "startedBefore", "subject", "customer", "attribute", "quarantined", "held", "overdue"];
/** Those that are folded away until one of them is set. */
const SELDOM = ["version", "direction", "command", "failure", "reason", "attribute", "olderThan", "startedAfter", "startedBefore", "quarantined", "held", "overdue"];
const AGES: [string, string][] = [["", "any"], ["PT1M", "1 min"], ["PT10M", "10 min"], ["PT1H", "1 h"], ["P1D", "1 d"], ["P7D", "7 d"]];

/** Counting takes longer than a page. */
const COUNT_EVERY_MS = 10_000;

const DIRECTIONS: [string, string][] = [["", "either"], ["forward", "a step"], ["backward", "a compensation"]];
const QUARANTINE: [string, string][] = [["", "or not"], ["true", "only those"], ["false", "without those"]];

/** One saga among millions: newest first, narrowed by what the address says. */
@customElement("oc-sagas")
export class SagasView extends View {
  private asked: string | null = null;
  /** What the form was last filled in from. */
  private filledIn: string | null = null;
  private readonly page = new Loader<SagaPage>(this, (signal) =>
    api.get("sagas", { ...this.filters(), order: "newest", cursor: this.query.get("cursor"), limit: 50 }, signal));
  private readonly poll = new Poll(this, this.page);
  /** Asked for only where the page is not all of them. */
  private readonly number = new Loader<{ count: number; exact: boolean }>(this, (signal) => api.get("sagas/count", this.filters(), signal));
  private readonly numberPoll = new Poll(this, this.number, COUNT_EVERY_MS, () => !this.isAll());

  protected override willUpdate(): void {
    const asked = this.query.toString();
    if (asked === this.asked) return;
    this.asked = asked;
    this.page.ask();
    this.number.ask();
  }

  /** Its fields show what the address says: what somebody typed or chose there before would look like a filter of this list. */
  protected override updated(): void {
    if (this.filledIn === this.asked) return;
    this.filledIn = this.asked;
    this.renderRoot.querySelector("form")!.reset();
  }

  private filters(): Record<string, string | null> {
    return Object.fromEntries(FILTERS.map((name) => [name, this.query.get(name)]));
  }

  protected override render() {
    const { value, problem } = this.page;
    return html`
      <div class="stack">
        <oc-toolbar>
          <h1 slot="title" tabindex="-1">Sagas</h1>
          <span class="muted small number" role="status">${this.counted()}</span>
          ${this.renderRepair()}
          <oc-live .state=${this.poll.state} @toggle=${() => this.poll.toggle()}></oc-live>
        </oc-toolbar>
        ${this.renderFilter()}
        <oc-problem .problem=${problem} retry @retry=${() => this.page.load()}></oc-problem>
        ${problem && !value ? nothing : html`<oc-table caption="Sagas, newest first" empty="No sagas match" .columns=${COLUMNS} .rows=${value?.sagas ?? []}
          .rowKey=${(s: SagaLine) => s.id} ?busy=${!value}></oc-table>`}
        <nav class="row" aria-label="Pages">
          ${this.query.get("cursor") ? html`<a class="button" href=${this.pageAt(null)}>Newest</a>` : nothing}
          ${value?.next ? html`<a class="button" href=${this.pageAt(value.next)}>Older</a>` : nothing}
        </nav>
      </div>
    `;
  }

  /** Whether the page has all that the filter finds. */
  private isAll(): boolean {
    const { value } = this.page;
    return value !== null && !value.next && !this.query.has("cursor");
  }

  private counted(): string {
    if (this.isAll()) return `${count(this.page.value!.sagas.length)} found`;
    const { value } = this.number;
    if (!value) return "";
    return value.exact ? `${count(value.count)} found` : `more than ${count(value.count)} found`;
  }

  private pageAt(cursor: string | null): string {
    return link("sagas", { ...this.filters(), cursor });
  }

  /** A repair is of sagas that have not ended; one of a single subject has buttons of its own. */
  private renderRepair() {
    const status = this.query.get("status");
    const open = (status && OPEN.includes(status)) || ["quarantined", "held", "open", "overdue"].some((name) => this.query.get(name) === "true")
      || ["step", "direction", "command", "failure"].some((name) => this.query.has(name));
    if (!session.operator || !open || this.query.has("subject")) return nothing;
    return html`<a class="button" href=${link("repairs", { new: "true", ...this.filters() })}>${icons.repairs}<span>Repair all of these</span></a>`;
  }

  private renderFilter() {
    const q = this.query;
    const text = (name: string, label: string, hint = "") => html`
      <label>${label}<input name=${name} value=${q.get(name) ?? ""} placeholder=${hint} maxlength="200" autocomplete="off" spellcheck="false"></label>`;
    const more = SELDOM.some((name) => q.has(name));
    return html`
      <form role="search" aria-label="Filter" @submit=${this.filter}>
        <div class="fields">
          <label>Status<select name="status">
            <option value="">any</option>
            <option value="OPEN" ?selected=${q.get("open") === "true"}>not ended</option>
            ${STATUSES.map((s) => html`<option value=${s} ?selected=${q.get("status") === s}>${s.toLowerCase()}</option>`)}
          </select></label>
          ${text("definition", "Definition", "place-order")}
          ${text("step", "Waits at step", "process-payment")}
          ${text("subject", "Order or other subject", "its id")}
          ${session.operator ? text("customer", "Customer") : nothing}
        </div>
        <details ?open=${more}>
          <summary class="small">More filters</summary>
          <div class="fields">
            ${text("version", "Version")}
            <label>Waits for<select name="direction">${DIRECTIONS.map(([value, label]) => html`<option value=${value} ?selected=${(q.get("direction") ?? "") === value}>${label}</option>`)}</select></label>
            ${text("command", "Waits for command", "payment")}
            ${text("failure", "Group of failures", "its fingerprint")}
            ${text("reason", "Reason", "PAYMENT_DECLINED")}
            ${session.operator ? text("attribute", "Attribute", "orderNumber:4711") : nothing}
            <label>Started at least … ago<select name="olderThan">${AGES.map(([value, label]) => html`<option value=${value} ?selected=${(q.get("olderThan") ?? "") === value}>${label}</option>`)}</select></label>
            <label>Started after<input name="startedAfter" type="datetime-local" step="1" value=${local(q.get("startedAfter"))}></label>
            <label>Started before<input name="startedBefore" type="datetime-local" step="1" value=${local(q.get("startedBefore"))}></label>
            <label>In quarantine<select name="quarantined">${QUARANTINE.map(([value, label]) => html`<option value=${value} ?selected=${(q.get("quarantined") ?? "") === value}>${label}</option>`)}</select></label>
            <span class="checks">
              <label class="check"><input type="checkbox" name="held" ?checked=${q.get("held") === "true"}>On hold</label>
              <label class="check"><input type="checkbox" name="overdue" ?checked=${q.get("overdue") === "true"}>Overdue</label>
            </span>
          </div>
        </details>
        <span class="row"><button class="primary">Filter</button><a class="button" href=${link("sagas")}>Clear</a></span>
      </form>
    `;
  }

  private filter(e: SubmitEvent): void {
    e.preventDefault();
    const form = new FormData(e.target as HTMLFormElement);
    const changes: Record<string, string | null> = { cursor: null };
    for (const name of FILTERS) changes[name] = valueOf(name, String(form.get(name) ?? "").trim());
    if (changes.status === "OPEN") Object.assign(changes, { status: null, open: "true" });
    router.setQuery(changes, true);
  }

  static override styles = [
    ...View.styles,
    css`
      form { display: grid; gap: var(--s3); }
      .fields { display: grid; gap: var(--s3); grid-template-columns: repeat(auto-fill, minmax(min(12rem, 100%), 1fr)); align-items: end; }
      details .fields { padding-top: var(--s3); }
      summary { cursor: pointer; color: var(--muted); width: max-content; }
      .checks { display: flex; gap: var(--s4); min-height: 2rem; align-items: center; }
    `,
  ];
}

const COLUMNS: Column<SagaLine>[] = [
  { key: "id", title: "Saga", cell: (s) => html`<a class="mono" href=${link(`sagas/${s.id}`)} title=${s.id}>${s.id.slice(-12)}</a>` },
  { key: "definition", title: "Definition", cell: (s) => html`${s.definition} <span class="muted">v${s.version}</span>` },
  { key: "status", title: "Status", cell: (s) => html`<oc-status .value=${stateOf(s)}></oc-status>` },
  { key: "steps", title: "Waits at", cell: (s) => (s.steps.length === 0 ? html`<span class="muted">–</span>` : html`${s.steps.join(", ")}${s.attempts > 1 ? html` <span class="muted">×${s.attempts}</span>` : nothing}`) },
  { key: "reason", title: "Reason", cell: (s) => s.reason ?? html`<span class="muted">–</span>` },
  { key: "subject", title: "Subject", wide: true, cell: (s) => html`<span class="mono muted" title=${s.subjectId}>${short(s.subjectId)}</span>` },
  { key: "customer", title: "Customer", wide: true, cell: (s) => s.customer ?? html`<span class="muted">hidden</span>` },
  { key: "started", title: "Started", end: true, cell: (s) => html`<oc-time .at=${s.startedAt}></oc-time>` },
];

/** A moment as an input of type datetime-local has it, in the reader's time zone. */
function local(at: string | null): string {
  return at ? absolute(at).replace(" ", "T") : "";
}

function valueOf(name: string, text: string): string | null {
  if (text === "") return null;
  if (name === "held" || name === "overdue") return "true";
  if (name.startsWith("started")) return new Date(text).toISOString();
  return text;
}
