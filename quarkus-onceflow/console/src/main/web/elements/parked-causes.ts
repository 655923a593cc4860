import { css, html, LitElement, nothing, type PropertyValues } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { count, plural } from "../format";
import { readGroups, reasonWords } from "../parked";
import { RedriveJob } from "../redrive";
import { link } from "../router";
import type { ParkedGroup } from "../sagas";
import { session } from "../session";
import { base } from "../styles/base";
import { Loader } from "../view";
import type { Column } from "./table";
import "./problem";
import "./status";
import "./table";
import "./time";

const PER_SECOND = 20;

/** What parked messages have in common: a line for each cause. Dispatches "redriven" once messages of a group were. */
@customElement("oc-parked-causes")
export class OcParkedCauses extends LitElement {
  /** Of the services; none for that of the page. */
  @property({ attribute: false }) names: string[] = [];
  /** The fingerprint of the group that the list below is of. */
  @property() chosen: string | null = null;
  @state() private job: RedriveJob | null = null;
  @state() private asked: ParkedGroup | null = null;
  private readonly groups = new Loader<ParkedGroup[]>(this, (signal) => readGroups(this.names, signal));

  protected override willUpdate(changed: PropertyValues<this>): void {
    const before = changed.get("names") as string[] | undefined;
    if (changed.has("names") && before?.join() !== this.names.join()) this.groups.ask();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.job?.stop();
  }

  protected override render() {
    const { value, problem } = this.groups;
    return html`
      <oc-problem .problem=${problem} retry @retry=${() => this.groups.load()}></oc-problem>
      ${this.job ? this.renderJob(this.job) : this.asked ? this.renderPreview(this.asked) : nothing}
      ${value?.length ? html`
        <section class="stack tight" aria-labelledby="causes"><h2 id="causes">Causes</h2>
          <oc-table caption="Parked messages by cause, the largest group first" .columns=${this.columns()} .rows=${value} .rowKey=${(g: ParkedGroup) => g.fingerprint}></oc-table>
          ${this.chosen ? html`<p>Below are the messages of one cause. <a href=${link("parked")}>Show all</a></p>` : nothing}
        </section>` : nothing}`;
  }

  private columns(): Column<ParkedGroup>[] {
    const all: Column<ParkedGroup>[] = [
      { key: "count", title: "Messages", end: true, cell: (g) => html`<a href=${link("parked", { service: g.service, group: g.fingerprint })}>${count(g.count)}</a>` },
      { key: "type", title: "Type", cell: (g) => html`<strong>${g.type ?? "no type"}</strong>${g.service ? html` <span class="muted">at ${g.service}</span>` : nothing}` },
      { key: "cause", title: "Cause", cell: (g) => html`${reasonWords(g.reason)}${g.cause ? html` <span class="muted break">${g.cause}</span>` : nothing}` },
      { key: "redrives", title: "Failed again after redrive", end: true, wide: true, cell: (g) => plural(g.redrives, "time") },
      { key: "first", title: "First", end: true, wide: true, cell: (g) => html`<oc-time .at=${g.firstAt}></oc-time>` },
      { key: "last", title: "Last", end: true, cell: (g) => html`<oc-time .at=${g.lastAt}></oc-time>` },
    ];
    if (session.operator) all.push({ key: "act", title: "Action", cell: (g) => html`<button ?disabled=${this.job?.state === "running" || this.job?.state === "paused"} @click=${() => this.ask(g)}>Redrive group</button>` });
    return all;
  }

  private ask(group: ParkedGroup): void {
    this.job = null;
    this.asked = group;
  }

  private renderPreview(g: ParkedGroup) {
    return html`
      <section class="panel stack tight" aria-label="Preview">
        <p><strong>${plural(g.count, "message")} of ${g.type ?? "no type"}</strong> would be redriven, the newest first${g.waiting > 0 ? html`; ${count(g.waiting)} of them are retried automatically as well` : nothing}. A message stays parked if its saga does not wait for it any more, if it still cannot be handled, or if it is too old. Nothing has changed yet.</p>
        <form class="row" @submit=${(e: SubmitEvent) => this.start(e, g)}>
          <label>At most per second<input name="perSecond" type="number" min="1" max="100" value=${PER_SECOND} required></label>
          <button class="primary">Redrive ${plural(g.count, "message")}</button><button type="button" @click=${() => (this.asked = null)}>Cancel</button>
        </form>
      </section>`;
  }

  private start(e: SubmitEvent, group: ParkedGroup): void {
    e.preventDefault();
    const job = (this.job = new RedriveJob(group, Number(new FormData(e.target as HTMLFormElement).get("perSecond"))));
    this.asked = null;
    job.addEventListener("change", () => this.requestUpdate());
    job.run().then(() => {
      this.groups.load();
      this.dispatchEvent(new Event("redriven"));
    });
  }

  private renderJob(job: RedriveJob) {
    const done = job.handled + job.failed;
    const active = job.state === "running" || job.state === "paused";
    return html`
      <section class="panel stack tight" aria-label="Redrive">
        <div class="row"><oc-status .value=${job.state} .tone=${job.state === "finished" ? (job.failed > 0 ? "warn" : "good") : "info"}></oc-status>
          <span class="number" role="status">${count(job.handled)} of ${plural(job.group.count, "message")} handled, ${count(job.failed)} still parked</span>
          ${active ? html`
            <button class="push" @click=${() => (job.state === "paused" ? job.resume() : job.pause())}>${job.state === "paused" ? "Resume" : "Pause"}</button>
            <button class="danger" @click=${() => job.stop()}>Stop</button>` : html`<button class="push" @click=${() => (this.job = null)}>Close</button>`}
        </div>
        <progress max=${Math.max(1, job.group.count)} value=${done} aria-label="Redriven"></progress>
        ${active ? html`<p class="small muted">It runs while this page is open.</p>` : nothing}
        <oc-problem .problem=${job.problem}></oc-problem>
        ${job.failures.size > 0 ? html`<ul>${[...job.failures].map(([why, n]) => html`<li><span class="number">${count(n)}</span> ${why}</li>`)}</ul>` : nothing}
      </section>`;
  }

  static override styles = [base, css`
    :host { display: grid; gap: var(--s4); }
    ul { margin: 0; padding: 0; list-style: none; }
  `];
}
