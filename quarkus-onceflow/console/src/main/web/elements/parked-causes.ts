import { css, html, LitElement, nothing, type PropertyValues } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { api, Problem } from "../api";
import { count, plural } from "../format";
import { parkedPath, readGroups, reasonWords } from "../parked";
import { link } from "../router";
import type { ParkedGroup, ParkedJob, ParkedJobPreview } from "../sagas";
import { session } from "../session";
import { base } from "../styles/base";
import { Loader } from "../view";
import type { Column } from "./table";
import "./parked-jobs";
import "./problem";
import "./table";
import "./time";

const PER_SECOND = 20;

/** What would be done to a group, before it is. */
interface Asked {
  group: ParkedGroup;
  action: ParkedJob["action"];
  preview: ParkedJobPreview;
}

/** What parked messages have in common: a line for each cause. Dispatches "redriven" once a job on a group has ended. */
@customElement("oc-parked-causes")
export class OcParkedCauses extends LitElement {
  /** Of the services; none for that of the page. */
  @property({ attribute: false }) names: string[] = [];
  /** The fingerprint of the group that the list below is of. */
  @property() chosen: string | null = null;
  @state() private asked: Asked | null = null;
  @state() private failure: Problem | null = null;
  /** How many jobs were started here. */
  @state() private started = 0;
  private readonly groups = new Loader<ParkedGroup[]>(this, (signal) => readGroups(this.names, signal));

  protected override willUpdate(changed: PropertyValues<this>): void {
    const before = changed.get("names") as string[] | undefined;
    if (changed.has("names") && before?.join() !== this.names.join()) this.groups.ask();
  }

  protected override render() {
    const { value, problem } = this.groups;
    return html`
      <oc-problem .problem=${this.failure ?? problem} retry @retry=${() => this.again()}></oc-problem>
      ${this.asked ? this.renderPreview(this.asked) : nothing}
      <oc-parked-jobs .names=${this.names} .started=${this.started} @ended=${() => this.ended()}></oc-parked-jobs>
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
    if (session.operator) all.push({ key: "act", title: "Action", cell: (g) => html`<span class="row"><button @click=${() => this.ask(g, "redrive")}>Redrive group</button><button class="danger" @click=${() => this.ask(g, "delete")}>Delete group</button></span>` });
    return all;
  }

  /** Of what has failed: an act, which is given up then, or reading the groups. */
  private again(): void {
    this.failure = null;
    this.groups.load();
  }

  private ended(): void {
    this.groups.load();
    this.dispatchEvent(new Event("redriven"));
  }

  private async ask(group: ParkedGroup, action: Asked["action"]): Promise<void> {
    this.asked = null;
    await this.attempt(async () => {
      const preview = await api.post<ParkedJobPreview>(parkedPath(group.service) + "/jobs", { action, group: group.fingerprint, dryRun: true });
      this.asked = { group, action, preview };
    });
  }

  private renderPreview({ group, action, preview: p }: Asked) {
    const redrives = action === "redrive";
    const verb = redrives ? "Redrive" : "Delete";
    const refused = p.samples.filter((s) => s.outcome !== null);
    return html`
      <section class="panel stack tight" aria-label="Preview">
        <p><strong>${plural(p.count, "message")} of ${group.type ?? "no type"}</strong> would be ${redrives ? "redriven" : "deleted permanently"}, the newest first${p.waiting > 0 ? html`; ${count(p.waiting)} of them are retried automatically as well` : nothing}. ${redrives ? "A message stays parked if it still cannot be handled." : ""} Nothing has changed yet.</p>
        ${p.tooOld > 0 ? html`<p class="warn">${plural(p.tooOld, "message")} stay parked: parked too long ago for a redrive.</p>` : nothing}
        ${refused.length > 0 ? html`<p class="warn">Of the newest ${count(p.samples.length)}, ${count(refused.length)} would be refused if each were redriven alone, such as since: ${refused[0].why} A job does not ask their sagas; what was done is not done twice.</p>` : nothing}
        <form class="row" @submit=${(e: SubmitEvent) => this.start(e)}>
          <label>At most per second<input name="perSecond" type="number" min="1" max="100" value=${PER_SECOND} required></label>
          <label>Reason, for the audit<input name="reason" value=${session.draft ?? ""} required maxlength="200" autocomplete="off"></label>
          <button class=${redrives ? "primary" : "danger"}>${verb} ${plural(p.count, "message")}</button><button type="button" @click=${() => (this.asked = null)}>Cancel</button>
        </form>
      </section>`;
  }

  private async start(e: SubmitEvent): Promise<void> {
    e.preventDefault();
    const form = new FormData(e.target as HTMLFormElement);
    const { group, action } = this.asked!;
    await this.attempt(async () => {
      await api.post(parkedPath(group.service) + "/jobs", { action, group: group.fingerprint, dryRun: false, reason: String(form.get("reason")), perSecond: Number(form.get("perSecond")) });
      this.asked = null;
      this.started++;
    });
  }

  private async attempt(what: () => Promise<unknown>): Promise<void> {
    this.failure = null;
    try {
      await what();
    } catch (e) {
      this.failure = Problem.of(e);
    }
  }

  static override styles = [base, css`
    :host { display: grid; gap: var(--s4); }
    .warn { color: var(--warn); }
  `];
}
