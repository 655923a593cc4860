import { css, html, nothing } from "lit";
import { customElement, state } from "lit/decorators.js";
import { api, download, Problem } from "../api";
import { plural, short, words } from "../format";
import { icons } from "../icons";
import { link, router } from "../router";
import { session } from "../session";
import type { AuditEntry, AuditPage, AuditVerification } from "../types";
import { Loader, View } from "../view";
import "../elements/json";
import "../elements/problem";
import "../elements/time";
import "../elements/toolbar";

/** All of the log is read for it. */
const VERIFIED_WITHIN_MS = 600_000;
const FILTERS = ["actor", "action", "saga", "repair", "parkedMessage"] as const;
/** Of these the log is asked for one at a time. */
const SUBJECTS = { saga: "Saga", repair: "Repair", parkedMessage: "Parked message" };

/** Who did what, when and why; whether the chain of hashes holds; all of it as a file. */
@customElement("oc-audit")
export class AuditView extends View {
  @state() private entries: AuditEntry[] = [];
  @state() private next: string | null = null;
  @state() private failure: Problem | null = null;
  private cursor: string | null = null;
  private asked: string | null = null;
  /** What the form was last filled in from. */
  private filledIn: string | null = null;
  private readonly page = new Loader<AuditPage>(this, (signal) => api.get<AuditPage>("operator-audit", { ...this.filters(), cursor: this.cursor, limit: 100 }, signal));
  private readonly verification = new Loader<AuditVerification>(this, (signal) => api.get("operator-audit/verification", {}, signal), VERIFIED_WITHIN_MS);

  override connectedCallback(): void {
    super.connectedCallback();
    this.verification.load();
  }

  protected override willUpdate(): void {
    const filters = JSON.stringify(this.filters());
    if (filters === this.asked) return;
    this.asked = filters;
    this.load(null);
  }

  /** Its fields show what the address says, and not what somebody typed or chose there before. */
  protected override updated(): void {
    if (this.filledIn === this.asked) return;
    this.filledIn = this.asked;
    this.renderRoot.querySelector("form")!.reset();
  }

  private filters(): Record<string, string | null> {
    return Object.fromEntries(FILTERS.map((name) => [name, this.query.get(name)]));
  }

  private async load(cursor: string | null): Promise<void> {
    this.cursor = cursor;
    await this.page.load();
    const { value, problem, loading } = this.page;
    if (loading || (problem && cursor)) return;
    const found: AuditPage = problem || !value ? { entries: [] } : value;
    this.entries = cursor ? [...this.entries, ...found.entries] : found.entries;
    this.next = found.next ?? null;
  }

  protected override render() {
    return html`
      <div class="stack">
        <oc-toolbar>
          <h1 slot="title" tabindex="-1">Audit</h1>
          ${session.operator ? html`<button @click=${this.export}>${icons.download}<span>Export</span></button>` : nothing}
        </oc-toolbar>
        ${this.renderVerification()}
        ${this.renderFilter()}
        <oc-problem .problem=${this.failure ?? this.page.problem} retry @retry=${() => this.load(this.cursor)}></oc-problem>
        <section class="panel flush" aria-label="Entries" aria-busy=${this.page.loading}>
          <ol>${this.entries.map((entry) => this.renderEntry(entry))}</ol>
          ${this.entries.length === 0 && !this.page.loading && !this.page.problem ? html`<p class="empty">No entries match</p>` : nothing}
        </section>
        ${this.next ? html`<div><button ?disabled=${this.page.loading} @click=${() => this.load(this.next)}>Show older entries</button></div>` : nothing}
      </div>
    `;
  }

  private renderFilter() {
    const kind = Object.keys(SUBJECTS).find((name) => this.query.has(name)) ?? "saga";
    return html`
      <form class="row" role="search" aria-label="Filter" @submit=${this.filter}>
        <label>Operator<input name="actor" value=${this.query.get("actor") ?? ""} autocomplete="off" spellcheck="false" maxlength="200"></label>
        <label>Action<input name="action" value=${this.query.get("action") ?? ""} placeholder="retry" autocomplete="off" spellcheck="false" maxlength="200"></label>
        <label>Type<select name="kind">${Object.entries(SUBJECTS).map(([name, text]) => html`<option .value=${name} ?selected=${name === kind}>${text}</option>`)}</select></label>
        <label class="id">ID<input name="id" value=${this.query.get(kind) ?? ""} pattern="[0-9a-fA-F\\-]{36}" title="An id of 36 characters" autocomplete="off" spellcheck="false"></label>
        <span class="buttons"><button class="primary">Filter</button><a class="button" href=${link("audit")}>Clear</a></span>
      </form>
    `;
  }

  private renderVerification() {
    const { value, problem } = this.verification;
    if (problem) return html`<oc-problem .problem=${problem} retry @retry=${() => this.verification.load()}></oc-problem>`;
    if (!value) return html`<p class="muted">Verifying the chain …</p>`;
    return value.intact
      ? html`<p class="chain good">${icons.audit}<span>The chain is intact: ${plural(value.entries, "entry", "entries")}, each sealed by the hash of the one before, the last by <code class="break">${value.lastHash}</code></span></p>`
      : html`<p class="chain broken" role="alert">${icons.warning}<span>The chain is broken at entry ${value.brokenAt}: it, or what came before it, was changed.</span></p>`;
  }

  private renderEntry(e: AuditEntry) {
    return html`
      <li><details>
        <summary>
          <oc-time .at=${e.at}></oc-time>
          <span class="what"><strong>${e.actor}</strong> ${subjectWords(e)}</span>
          <span class="reason">${e.reason}</span>
        </summary>
        <div class="more">
          <dl class="facts small">
            <dt>Subject</dt><dd><a href=${link(pathOf(e.subject))}>${kindWords(e)} ${e.subject.id}</a></dd>
            <dt>Entry</dt><dd class="number">${e.seq}</dd>
            <dt>At</dt><dd><oc-time exact .at=${e.at}></oc-time></dd>
            <dt>Hash</dt><dd><code>${e.hash}</code></dd>
            <dt>Previous</dt><dd><code>${e.previousHash}</code></dd>
            ${e.hidden ? html`<dt>Hidden</dt><dd>reason and detail, which operators see</dd>` : nothing}
          </dl>
          ${e.detail ? html`<oc-json label="Detail of entry ${e.seq}" .value=${e.detail}></oc-json>` : nothing}
        </div>
      </details></li>
    `;
  }

  private filter(e: SubmitEvent): void {
    e.preventDefault();
    const form = new FormData(e.target as HTMLFormElement);
    const text = (name: string) => String(form.get(name)).trim();
    const none = Object.fromEntries(FILTERS.map((name) => [name, null]));
    router.setQuery({ ...none, actor: text("actor"), action: text("action"), [text("kind")]: text("id") }, true);
  }

  private async export(): Promise<void> {
    this.failure = null;
    try {
      await download("operator-audit/export", "operator-audit.ndjson");
    } catch (e) {
      this.failure = Problem.of(e);
    }
  }

  static override styles = [
    ...View.styles,
    css`
      form label { flex: 1 1 9rem; }
      form label.id { flex: 2 1 14rem; }
      .buttons { display: inline-flex; gap: var(--s2); align-self: end; }
      .chain { display: flex; gap: var(--s2); align-items: center; margin-top: calc(-1 * var(--s3)); }
      .chain svg { flex: none; }
      .good { color: var(--good); }
      .broken { color: var(--bad); background: var(--bad-tint); border: 1px solid var(--bad); border-radius: 10px; padding: var(--s3) var(--s4); font-weight: 600; }
      ol { list-style: none; margin: 0; padding: 0; }
      li + li { border-top: 1px solid var(--line); }
      summary { display: grid; grid-template-columns: 0.5rem 5.5rem minmax(16rem, 3fr) 3fr; gap: var(--s3); padding: 0.4375rem var(--s4); cursor: pointer; list-style: none; align-items: baseline; }
      summary::-webkit-details-marker { display: none; }
      summary::before { content: "›"; color: var(--muted); transition: rotate var(--quick); justify-self: center; }
      details[open] summary::before { rotate: 90deg; }
      summary:hover { background: var(--hover); }
      summary:focus-visible { outline-offset: -2px; }
      summary oc-time, .reason { color: var(--muted); }
      .reason, .what { overflow-wrap: anywhere; }
      .more { display: grid; gap: var(--s3); padding: var(--s2) var(--s4) var(--s4); background: var(--sunken); }
      .more oc-json { --sunken: var(--surface); }
      @media (max-width: 52rem) {
        summary { grid-template-columns: 0.5rem minmax(0, 1fr); gap: 0 var(--s3); padding-block: var(--s2); }
        summary > * { grid-column: 2; }
      }
    `,
  ];
}

function kindWords(e: AuditEntry): string {
  return words(e.subject.kind.replaceAll("-", " "));
}

/** "retry" of a saga as "retry, saga 1a2b3c4d". */
function subjectWords(e: AuditEntry) {
  const id = e.subject.id.length === 36 ? short(e.subject.id) : e.subject.id;
  return html`${words(e.action.replaceAll("-", " "))} <span class="muted">${kindWords(e)}</span> <span class="mono">${id}</span>`;
}

/** Where one finds what it was done to. */
function pathOf({ kind, id }: AuditEntry["subject"]): string {
  return { saga: `sagas/${id}`, repair: `repairs/${id}`, definition: `definitions/${encodeURIComponent(id)}`, "parked-message": "parked", "parked-job": "parked", participant: "participants" }[kind] ?? "";
}
