import { css, html, nothing } from "lit";
import { customElement, query, state } from "lit/decorators.js";
import { live } from "lit/directives/live.js";
import { api } from "../api";
import { count, duration, short, words } from "../format";
import { link, router } from "../router";
import { toneOfRepair, type Repair, type RepairedPage, type RepairedSaga } from "../sagas";
import { session } from "../session";
import { Loader, Poll, View } from "../view";
import type { OcAsk } from "../elements/ask";
import type { Column } from "../elements/table";
import "../elements/ask";
import "../elements/live";
import "../elements/problem";
import "../elements/status";
import "../elements/table";
import "../elements/time";
import "../elements/toolbar";

const EVERY_MS = 1000;
const OUTCOMES = ["failed", "refused", "requested", "repaired", "pending"] as const;
const TEXTS: Record<string, string> = {
  pause: "No more sagas are requested until it is resumed. Requested ones are not reverted.",
  resume: "It continues with the pending sagas.",
  stop: "It ends permanently: no more sagas are requested. Requested ones are not reverted.",
  approve: "It starts at once. You approve it as the second operator.",
};

/** One repair: how far it is, what has failed and why. */
@customElement("oc-repair")
export class RepairView extends View {
  @state() private sagas: RepairedSaga[] = [];
  @state() private next: string | null = null;
  @query("oc-ask") private question!: OcAsk;
  private shown: string | null = null;
  private cursor: string | null = null;
  private readonly repair = new Loader<Repair>(this, (signal) => {
    // Who has asked for more reads on; from the start there would be less.
    if (this.cursor === null && !this.page.loading) this.more(null);
    return api.get(`sagas/repairs/${this.params.id}`, {}, signal);
  });
  /** While it is under way, or sagas that it has acted on have not moved yet. */
  private readonly poll = new Poll(this, this.repair, EVERY_MS, () => {
    const r = this.repair.value;
    return r !== null && (r.status === "RUNNING" || r.done.requested > 0);
  });
  private readonly page = new Loader<RepairedPage>(this, (signal) =>
    api.get(`sagas/repairs/${this.params.id}/sagas`, { outcome: this.outcome, cursor: this.cursor, limit: 50 }, signal));

  protected override willUpdate(): void {
    const shown = `${this.params.id} ${this.outcome}`;
    if (shown === this.shown) return;
    this.shown = shown;
    this.entitle(`Repair ${short(this.params.id)}`);
    this.page.forget();
    this.sagas = [];
    this.next = null;
    if (this.repair.value?.id === this.params.id) {
      this.more(null);
      return;
    }
    this.repair.forget();
    this.load();
  }

  /** The first of which there are sagas, where the address says none. */
  private get outcome(): string {
    const done = this.repair.value?.done;
    return this.query.get("outcome") ?? (done && OUTCOMES.find((o) => done[o] > 0)) ?? OUTCOMES[0];
  }

  private load(): void {
    this.cursor = null;
    this.repair.load();
  }

  private async more(cursor: string | null): Promise<void> {
    this.cursor = cursor;
    await this.page.load();
    const { value, problem, loading } = this.page;
    if (problem || !value || loading) return;
    this.sagas = cursor ? [...this.sagas, ...value.sagas] : value.sagas;
    this.next = value.next ?? null;
  }

  protected override render() {
    const r = this.repair.value;
    return html`
      <div class="stack">
        <oc-toolbar>
          <div slot="title"><nav class="small" aria-label="Above"><a href=${link("repairs")}>Repairs</a></nav><h1 tabindex="-1">Repair <span class="mono">${short(this.params.id)}</span></h1></div>
          ${r && session.operator ? this.renderActions(r) : nothing}
          <oc-live .state=${this.poll.state} @toggle=${() => this.poll.toggle()}></oc-live>
        </oc-toolbar>
        <oc-problem .problem=${this.repair.problem ?? this.page.problem} retry @retry=${() => this.load()}></oc-problem>
        ${r ? this.renderRepair(r) : nothing}
        <oc-ask @done=${() => this.load()}></oc-ask>
      </div>
    `;
  }

  private renderActions(r: Repair) {
    const verbs = { AWAITING_APPROVAL: ["approve", "stop"], RUNNING: ["pause", "stop"], PAUSED: ["resume", "stop"], STOPPED: [], FINISHED: [] }[r.status];
    return verbs.map((verb) => html`<button class=${verb === "stop" ? "danger" : ""} @click=${() => this.question.ask({
      heading: `${sentence(verb)} this repair`,
      text: TEXTS[verb],
      verb: `${sentence(verb)} repair`,
      danger: verb === "stop",
      act: (reason) => api.post(`sagas/repairs/${r.id}/${verb}`, { reason }),
    })}>${sentence(verb)}</button>`);
  }

  private renderRepair(r: Repair) {
    const settled = r.done.repaired + r.done.failed + r.done.refused;
    return html`
      <section class="panel stack tight" aria-label="Progress">
        <div class="row"><oc-status .value=${r.status} .tone=${toneOfRepair(r)}></oc-status><strong>${r.action}</strong><span class="muted">${r.reason ?? ""}</span></div>
        <progress max=${Math.max(1, r.total)} value=${settled} aria-label="Settled"></progress>
        <p class="number" role="status">${count(r.done.repaired)} of ${count(r.total)} repaired${r.etaMs ? `; about ${duration(r.etaMs)} to go` : ""}</p>
        <dl class="figures">
          ${(["pending", "requested", "repaired", "failed", "refused"] as const).map((name) => html`<div><dt>${name}</dt><dd class=${name === "failed" && r.done.failed > 0 ? "bad" : ""}><a href=${link(`repairs/${r.id}`, { outcome: name })}>${count(r.done[name])}</a></dd></div>`)}
        </dl>
        <dl class="facts">
          <dt>Filter</dt><dd>${r.filter ? Object.entries(r.filter).map(([k, v]) => html`<span class="part">${words(k.replace(/[A-Z]/g, (c) => " " + c))} ${String(v)}</span>`) : html`<span class="muted">hidden</span>`}</dd>
          <dt>At most</dt><dd>${count(r.perSecond)} per second</dd>
          <dt>Started</dt><dd>${r.startedBy}, <oc-time exact .at=${r.startedAt}></oc-time></dd>
          ${r.approvedBy ? html`<dt>Approved</dt><dd>${r.approvedBy}</dd>` : nothing}
          ${r.finishedAt ? html`<dt>Finished</dt><dd><oc-time exact .at=${r.finishedAt}></oc-time></dd>` : nothing}
          <dt>Audit</dt><dd><a href=${link("audit", { repair: r.id })}>operators' actions</a></dd>
        </dl>
        ${r.failureReasons.length > 0 ? html`<h2>Why sagas were not repaired</h2><ul>${r.failureReasons.map((f) => html`<li><span class="number">${count(f.count)}</span> ${f.why}</li>`)}</ul>` : nothing}
      </section>
      <section class="stack tight" aria-labelledby="sagas">
        <div class="row"><h2 id="sagas">Sagas</h2>
          <label class="push">Outcome<select @change=${(e: Event) => router.setQuery({ outcome: (e.target as HTMLSelectElement).value })}>
            ${OUTCOMES.map((o) => html`<option value=${o} .selected=${live(o === this.outcome)}>${o}</option>`)}
          </select></label></div>
        <oc-table caption="Sagas of the repair" empty="No ${this.outcome} sagas" .columns=${COLUMNS} .rows=${this.sagas} .rowKey=${(s: RepairedSaga) => s.saga} ?busy=${!this.page.value}></oc-table>
        ${this.next ? html`<div><button ?disabled=${this.page.loading} @click=${() => this.more(this.next)}>More</button></div>` : nothing}
      </section>
    `;
  }

  static override styles = [
    ...View.styles,
    css`
      .figures { display: grid; grid-template-columns: repeat(auto-fill, minmax(7rem, 1fr)); gap: var(--s3); }
      .figures dt { font-size: 0.75rem; color: var(--muted); }
      .figures dd { font-weight: 620; font-size: 1.125rem; font-variant-numeric: tabular-nums; }
      .part { margin-inline-end: var(--s3); }
      ul { margin: 0; padding: 0; list-style: none; }
      ul .number { display: inline-block; min-width: 3rem; font-weight: 620; }
    `,
  ];
}

const COLUMNS: Column<RepairedSaga>[] = [
  { key: "saga", title: "Saga", cell: (s) => html`<a class="mono" href=${link(`sagas/${s.saga}`)} title=${s.saga}>${s.saga.slice(-12)}</a>` },
  { key: "outcome", title: "Outcome", cell: (s) => html`<oc-status .value=${s.outcome}></oc-status>` },
  { key: "why", title: "Why", cell: (s) => s.why ?? html`<span class="muted">–</span>` },
  { key: "at", title: "At", end: true, cell: (s) => html`<oc-time .at=${s.at}></oc-time>` },
];

/** "pause" as "Pause". */
function sentence(verb: string): string {
  return verb[0].toUpperCase() + verb.slice(1);
}
