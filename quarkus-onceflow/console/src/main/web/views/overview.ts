import { css, html, nothing } from "lit";
import { customElement } from "lit/decorators.js";
import { live } from "lit/directives/live.js";
import { OUTBOX_LATE_MS, type Cause } from "../causes";
import { age, count, duration, plural, rate } from "../format";
import { link, router } from "../router";
import type { Definition, DefinitionVersion, Overview, Service } from "../types";
import { Situation } from "../situation";
import { View } from "../view";
import { renderCause } from "../elements/cause";
import type { Tone } from "../elements/status";
import "../elements/graph";
import "../elements/live";
import "../elements/problem";
import "../elements/tile";
import "../elements/toolbar";

interface Tile {
  label: string;
  value: string;
  note?: string;
  href?: string;
  tone?: Tone;
}

/** What is to be seen at a glance, each with the list behind it. */
export function tilesOf(o: Overview, services: Service[] | null): Tile[] {
  const alarm = (n: number, tone: Tone): Tone => (n > 0 ? tone : "neutral");
  const outboxLate = (o.outbox.oldestAgeMs ?? 0) > OUTBOX_LATE_MS;
  return [
    { label: "Open", value: count(o.open), href: link("sagas", { open: "true" }) },
    { label: "Running", value: count(o.running), href: handled("RUNNING") },
    { label: "Compensating", value: count(o.compensating), href: handled("COMPENSATING"), tone: alarm(o.compensating, "back") },
    { label: "Stuck", value: count(o.stuck), href: handled("STUCK"), tone: alarm(o.stuck, "bad") },
    { label: "Overdue", value: count(o.overdue), href: link("sagas", { overdue: "true" }), tone: alarm(o.overdue, "warn") },
    { label: "Quarantined", value: count(o.quarantined), href: link("sagas", { quarantined: "true" }), tone: alarm(o.quarantined, "bad") },
    ...(o.held > 0 ? [{ label: "On hold", value: count(o.held), href: link("sagas", { held: "true" }), tone: "warn" as Tone }] : []),
    parkedTile(o, services),
    { label: "Outbox", value: age(o.outbox.oldestAgeMs ?? 0), note: plural(o.outbox.messages, "message"), href: link("participants"), tone: outboxLate ? "warn" : "neutral" },
    { label: "Started per second", value: rate(o.startedPerSecond), note: `${rate(o.endedPerSecond)} ended, last minute` },
    { label: "Start to end, p50", value: duration(o.p50Ms), note: `p95 ${duration(o.p95Ms)}, p99 ${duration(o.p99Ms)}` },
  ];
}

/** Those that are handled: in quarantine none is. */
function handled(status: string): string {
  return link("sagas", { status, quarantined: "false" });
}

/** Of all services that have answered, as the list behind it. */
function parkedTile(o: Overview, services: Service[] | null): Tile {
  const told = (services ?? []).filter((s) => s.participant);
  const silent = (services ?? []).length - told.length;
  const parked = told.length > 0 ? told.reduce((sum, s) => sum + s.participant!.parked, 0) : o.parked;
  const note = silent > 0 ? `${plural(silent, "service")} unreachable` : told.length > 1 ? `at ${told.length} services` : undefined;
  return { label: "Parked messages", value: count(parked), note, href: link("parked"), tone: parked > 0 ? "warn" : "neutral" };
}

/** Whether there are problems, and at which steps open sagas wait. */
@customElement("oc-overview")
export class OverviewView extends View {
  private readonly situation = new Situation(this);

  override connectedCallback(): void {
    super.connectedCallback();
    this.situation.load();
  }

  protected override render() {
    const { overview, definitions, poll } = this.situation;
    return html`
      <div class="stack">
        <oc-toolbar>
          <h1 slot="title" tabindex="-1">Overview</h1>
          <oc-live .state=${poll.state} @toggle=${() => poll.toggle()}></oc-live>
        </oc-toolbar>
        <oc-problem .problem=${overview.value ? null : overview.problem} retry @retry=${() => overview.load()}></oc-problem>
        ${overview.value ? this.renderTiles(overview.value) : nothing}
        <oc-problem .problem=${definitions.problem} retry @retry=${() => definitions.load()}></oc-problem>
        ${this.renderDefinition()}
      </div>
    `;
  }

  private renderTiles(o: Overview) {
    return html`
      ${this.renderVerdict()}
      <section class="tiles" aria-label="Figures">
        ${tilesOf(o, this.situation.services.value).map((t) => html`<oc-tile .label=${t.label} .value=${t.value} .note=${t.note ?? ""} .href=${t.href} .tone=${t.tone ?? "neutral"}></oc-tile>`)}
      </section>
    `;
  }

  /** That there are no problems is said only once all that could tell of one has answered. */
  private renderVerdict() {
    const { unknown } = this.situation;
    const causes = this.situation.causes();
    if (causes.length === 0) return unknown ? html`<p class="verdict">${unknown}</p>` : html`<p class="verdict good">No problems found.</p>`;
    return html`
      <section class="verdict" aria-labelledby="attention"><h2 id="attention">Needs attention</h2>
        <ul>${causes.map((c: Cause) => html`<li class=${c.tone}>${renderCause(c)}</li>`)}${unknown ? html`<li>${unknown}</li>` : nothing}</ul>
        <p class="small"><a href=${link("attention")}>Since when, and what to do</a></p>
      </section>`;
  }

  private renderDefinition() {
    const all = this.situation.definitions.value ?? [];
    const definition = all.find((d) => d.name === this.query.get("definition")) ?? all[0];
    if (!definition) return nothing;
    const asked = Number(this.query.get("version"));
    const version = definition.versions.find((v) => v.version === asked) ?? startOf(definition);
    const counts = (this.situation.overview.value?.steps ?? []).filter((s) => s.definition === definition.name && s.version === version.version);
    return html`
      <section class="panel" aria-label="Open sagas by step">
        <div class="row head">
          <h2>Open sagas by step</h2>
          <label class="push"><span class="heard">Definition</span>
            <select @change=${(e: Event) => router.setQuery({ definition: (e.target as HTMLSelectElement).value, version: null })}>
              ${all.map((d) => html`<option .value=${d.name} .selected=${live(d === definition)}>${d.name}</option>`)}
            </select></label>
          <label><span class="heard">Version</span>
            <select @change=${(e: Event) => router.setQuery({ version: (e.target as HTMLSelectElement).value })}>
              ${definition.versions.map((v) => html`<option .value=${String(v.version)} .selected=${live(v === version)}>version ${v.version}</option>`)}
            </select></label>
        </div>
        <oc-graph .name=${definition.name} .version=${version.version} .steps=${version.steps} .counts=${counts}></oc-graph>
        <p class="muted small legend">At each step: sagas that wait there on the way forward, and on the way back; each with the age of the oldest.</p>
      </section>
    `;
  }

  static override styles = [
    ...View.styles,
    css`
      .tiles { display: grid; gap: var(--s3); grid-template-columns: repeat(5, minmax(0, 1fr)); margin-top: calc(-1 * var(--s3)); }
      .verdict { margin-top: calc(-1 * var(--s4)); color: var(--muted); }
      .verdict.good { color: var(--good); }
      .verdict h2 { color: var(--text); }
      .verdict ul { margin: var(--s1) 0 0; padding: 0 0 0 var(--s4); display: grid; gap: var(--s1); }
      .verdict .bad, .bad a { color: var(--bad); }
      .verdict .warn, .warn a { color: var(--warn); }
      .verdict a { text-decoration: underline; }
      .head { margin-bottom: var(--s3); }
      .legend { margin-top: var(--s3); }
      @media (max-width: 70rem) { .tiles { grid-template-columns: repeat(auto-fill, minmax(9.5rem, 1fr)); } }
      @media (max-width: 40rem) {
        .tiles { grid-template-columns: repeat(2, minmax(0, 1fr)); gap: var(--s2); }
      }
    `,
  ];
}

function startOf(definition: Definition): DefinitionVersion {
  return definition.versions.find((v) => v.startVersion) ?? definition.versions[0];
}
