import { css, html, nothing, type PropertyValues } from "lit";
import { customElement, state } from "lit/decorators.js";
import { api, Problem } from "../api";
import { count, plural, short, words } from "../format";
import { icons } from "../icons";
import { link, router } from "../router";
import { toneOfRepair, type ActionName, type Repair, type RepairFilter, type RepairForecast, type RepairPage } from "../sagas";
import { session } from "../session";
import { Loader, Poll, View } from "../view";
import type { Column } from "../elements/table";
import "../elements/live";
import "../elements/problem";
import "../elements/status";
import "../elements/table";
import "../elements/time";
import "../elements/toolbar";

const EVERY_MS = 3000;
const KEPT = ["step", "direction", "command", "failure", "reason", "startedAfter", "startedBefore", "customer", "attribute"] as const;
const ACTIONS: [ActionName, string][] = [["retry", "Retry: resend what they wait for"], ["compensate", "Compensate: end the current step and undo"], ["cancel", "Cancel: wait for the answer, then undo"], ["hold", "Hold: send nothing until resumed"], ["resume", "Resume: end their hold"]];
const VERBS: Record<ActionName, string> = { retry: "Retry", compensate: "Compensate", cancel: "Cancel", hold: "Hold", resume: "Resume", migrate: "Migrate" };
const DONE: Record<ActionName, string> = { retry: "retried", compensate: "compensated", cancel: "cancelled", hold: "held", resume: "resumed", migrate: "migrated" };
const AGES: [string, string][] = [["", "any age"], ["PT1M", "started 1 min ago or earlier"], ["PT10M", "10 min"], ["PT1H", "1 h"], ["P1D", "1 d"]];

interface RepairOrder {
  action: string;
  filter: RepairFilter;
  until: string | null;
  reason: string;
  perSecond: number;
}

/** Actions on all sagas that a filter finds: first what one would come to, then the repair. */
@customElement("oc-repairs")
export class RepairsView extends View {
  @state() private forecast: RepairForecast | null = null;
  @state() private failure: Problem | null = null;
  @state() private busy = false;
  /** What the forecast is of, or will be: it is started as it was foreseen, and not as the form has become since. */
  private order: RepairOrder | null = null;
  private cursor: string | null = null;
  private readonly page = new Loader<RepairPage>(this, (signal) => api.get("sagas/repairs", { cursor: this.cursor, limit: 50 }, signal));

  private readonly poll = new Poll(this, this.page, EVERY_MS);

  override connectedCallback(): void {
    super.connectedCallback();
    this.page.load();
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has("query")) this.forget();
  }

  private forget(): void {
    this.order = null;
    this.forecast = null;
  }

  protected override render() {
    const { value, problem } = this.page;
    const asked = this.query.get("new") === "true" && session.operator;
    return html`
      <div class="stack">
        <oc-toolbar>
          <h1 slot="title" tabindex="-1">Repairs</h1>
          ${session.operator && !asked ? html`<a class="button" href=${link("repairs", { new: "true", status: "STUCK" })}>New repair</a>` : nothing}
          <oc-live .state=${this.poll.state} @toggle=${() => this.poll.toggle()}></oc-live>
        </oc-toolbar>
        ${asked ? this.renderNew() : nothing}
        <oc-problem .problem=${problem} retry @retry=${() => this.page.load()}></oc-problem>
        <oc-table caption="Repairs, newest first" empty="No repairs" .columns=${COLUMNS} .rows=${value?.repairs ?? []} .rowKey=${(r: Repair) => r.id} ?busy=${!value}></oc-table>
        ${value?.next ? html`<div><button @click=${() => this.older(value.next!)}>Older</button></div>` : nothing}
      </div>
    `;
  }

  private renderNew() {
    const q = this.query;
    return html`
      <section class="panel stack tight" aria-labelledby="new">
        <h2 id="new">New repair</h2>
        <form @submit=${this.foresee} @input=${this.forget}>
          <label>Action<select name="action">${ACTIONS.map(([value, label]) => html`<option value=${value}>${label}</option>`)}</select></label>
          <label>Sagas that are<select name="which">
            ${["STUCK", "COMPENSATING", "RUNNING"].map((s) => html`<option value=${s} ?selected=${q.get("status") === s}>${s.toLowerCase()}</option>`)}
            <option value="open" ?selected=${!q.has("status") && q.get("quarantined") !== "true"}>not ended</option>
            <option value="quarantined" ?selected=${q.get("quarantined") === "true"}>in quarantine</option>
            <option value="held" ?selected=${q.get("held") === "true"}>on hold</option>
          </select></label>
          <label>Definition<input name="definition" .value=${q.get("definition") ?? ""} placeholder="any" maxlength="200" autocomplete="off" spellcheck="false"></label>
          <label>Age<select name="olderThan">${AGES.map(([value, label]) => html`<option value=${value} ?selected=${(q.get("olderThan") ?? "") === value}>${label}</option>`)}</select></label>
          ${this.renderKept()}
          <label>Resume held ones at (optional)<input name="until" type="datetime-local" step="1"></label>
          <label>At most per second<input name="perSecond" type="number" min="1" max="1000" value="20" required></label>
          <label class="why">Reason, for the audit<input name="reason" value=${session.draft ?? ""} required maxlength="200" autocomplete="off"></label>
          <span class="row"><button class="primary" name="dry" ?disabled=${this.busy}>Preview (dry run)</button><a class="button" href=${link("repairs")}>Cancel</a></span>
          ${this.renderForecast()}
        </form>
        <oc-problem .problem=${this.failure}></oc-problem>
      </section>
    `;
  }

  /** What the list was narrowed by and the form does not ask for. Without it the repair would be of more sagas than one has seen. */
  private kept(): RepairFilter {
    const q = this.query;
    const kept: RepairFilter = {};
    for (const name of KEPT) if (q.get(name)) kept[name] = q.get(name)!;
    if (q.get("version")) kept.version = Number(q.get("version"));
    if (q.get("overdue") === "true") kept.overdue = true;
    if (q.get("quarantined") === "false") kept.quarantined = false;
    return kept;
  }

  private renderKept() {
    const kept = Object.entries(this.kept());
    if (kept.length === 0) return nothing;
    return html`<p class="why">Only those with ${kept.map(([name, value], i) => html`${i > 0 ? ", " : ""}${words(name.replaceAll(/[A-Z]/g, " $&"))} <strong>${String(value)}</strong>`)}, as in the list. <a href=${link("repairs", { new: "true", status: this.query.get("status") })}>Remove these filters</a></p>`;
  }

  private renderForecast() {
    const f = this.forecast;
    if (!f) return nothing;
    return html`
      <div class="forecast" role="status">
        <p><strong>${f.exact ? "" : "More than "}${plural(f.count, "saga")} ${f.count === 1 ? "matches" : "match"}</strong>${this.renderAllowed(f)}. Nothing has changed yet.</p>
        ${f.warnings.map((w) => html`<p class="warning">${icons.warning}<span>${w}</span></p>`)}
        ${f.samples.length > 0 ? html`<ul>${f.samples.slice(0, 5).map((s) => html`<li><a class="mono" href=${link(`sagas/${s.saga}`)}>${s.saga.slice(-12)}</a> <span class=${s.allowed ? "muted" : "bad"}>${s.comesTo ?? s.why}</span></li>`)}</ul>` : nothing}
        ${f.count > 0 ? html`<button class="danger" type="button" ?disabled=${this.busy} @click=${this.start}>${VERBS[this.order!.action as ActionName]} ${f.exact ? plural(f.count, "saga") : "all of these"}</button>` : nothing}
      </div>
    `;
  }

  private renderAllowed({ count: all, exact, allowed, refused }: RepairForecast) {
    const looked = allowed + refused;
    if (looked === 0) return nothing;
    const done = DONE[this.order!.action as ActionName];
    const of = exact && looked === all ? "" : `of the ${count(looked)} oldest `;
    if (refused === 0) return html`; ${of}${looked === 1 ? "it" : html`all ${count(looked)}`} can be ${done}`;
    return html`; ${of}${count(allowed)} can be ${done}, <span class="bad">${count(refused)} cannot</span>`;
  }

  private orderOf(form: HTMLFormElement): RepairOrder {
    const data = new FormData(form);
    const text = (name: string) => String(data.get(name) ?? "").trim();
    const filter = this.kept();
    if (text("which") === "quarantined") filter.quarantined = true;
    else if (text("which") === "held") filter.held = true;
    else if (text("which") === "open") filter.open = true;
    else filter.status = text("which");
    if (text("definition")) filter.definition = text("definition");
    if (text("olderThan")) filter.olderThan = text("olderThan");
    const until = text("action") === "hold" && text("until") ? new Date(text("until")).toISOString() : null;
    return { action: text("action"), filter, until, reason: text("reason"), perSecond: Number(text("perSecond")) };
  }

  private async foresee(e: SubmitEvent): Promise<void> {
    e.preventDefault();
    const order = (this.order = this.orderOf(e.target as HTMLFormElement));
    await this.attempt(async () => {
      const forecast = await api.post<RepairForecast>("sagas/repairs", { ...order, dryRun: true });
      if (this.order === order) this.forecast = forecast;
    });
  }

  private async start(): Promise<void> {
    await this.attempt(async () => {
      const repair = await api.post<Repair>("sagas/repairs", { ...this.order!, dryRun: false });
      router.go(link(`repairs/${repair.id}`));
    });
  }

  private async attempt(what: () => Promise<unknown>): Promise<void> {
    this.busy = true;
    this.failure = null;
    try {
      await what();
    } catch (e) {
      this.failure = Problem.of(e);
    }
    this.busy = false;
  }

  private older(cursor: string): void {
    this.cursor = cursor;
    this.page.load();
  }

  static override styles = [
    ...View.styles,
    css`
      form { display: grid; gap: var(--s3); grid-template-columns: repeat(auto-fill, minmax(min(14rem, 100%), 1fr)); align-items: end; }
      .why, form > .row, .forecast { grid-column: 1 / -1; }
      .forecast { display: grid; gap: var(--s3); padding: var(--s3) var(--s4); background: var(--sunken); border-radius: var(--radius); justify-items: start; }
      .warning { display: flex; gap: var(--s2); color: var(--warn); }
      .warning svg { flex: none; margin-top: 0.125rem; }
      ul { margin: 0; padding: 0; list-style: none; display: grid; gap: var(--s1); font-size: 0.8125rem; }
    `,
  ];
}

const COLUMNS: Column<Repair>[] = [
  { key: "id", title: "Repair", cell: (r) => html`<a class="mono" href=${link(`repairs/${r.id}`)} title=${r.id}>${short(r.id)}</a>` },
  { key: "action", title: "Action", cell: (r) => r.action },
  { key: "status", title: "Status", cell: (r) => html`<oc-status .value=${r.status} .tone=${toneOfRepair(r)}></oc-status>` },
  { key: "reason", title: "Reason", wide: true, cell: (r) => r.reason ?? html`<span class="muted">–</span>` },
  { key: "by", title: "By", cell: (r) => r.startedBy },
  { key: "repaired", title: "Repaired", end: true, cell: (r) => html`${outcome(r, "repaired")} of ${count(r.total)}` },
  { key: "failed", title: "Failed", end: true, cell: (r) => outcome(r, "failed") },
  { key: "refused", title: "Refused", end: true, cell: (r) => outcome(r, "refused") },
  { key: "started", title: "Started", end: true, cell: (r) => html`<oc-time .at=${r.startedAt}></oc-time>` },
];

/** A number with the sagas that it counts. */
function outcome(r: Repair, name: keyof Repair["done"]) {
  return html`<a href=${link(`repairs/${r.id}`, { outcome: name })}>${count(r.done[name])}</a>`;
}
