import { css, html, nothing } from "lit";
import { customElement, query } from "lit/decorators.js";
import { live } from "lit/directives/live.js";
import { api } from "../api";
import { count } from "../format";
import { link, router } from "../router";
import type { Hold } from "../sagas";
import { session } from "../session";
import type { Definition, DefinitionDiff, DefinitionStep, DefinitionVersion } from "../types";
import { Loader, View } from "../view";
import { stateOf } from "./definitions";
import type { OcAsk } from "../elements/ask";
import "../elements/ask";
import "../elements/graph";
import "../elements/problem";
import "../elements/status";
import type { Column } from "../elements/table";
import "../elements/table";
import "../elements/time";
import "../elements/toolbar";

const STEPS: Column<DefinitionStep>[] = [
  { key: "name", title: "Step", cell: (s) => html`<strong>${s.name}</strong>${s.partOf ? html` <span class="muted">in ${s.partOf}, ${s.way}</span>` : nothing}` },
  { key: "kind", title: "Kind", cell: (s) => (s.kind === "parallel" ? `parallel, group ${s.parallelGroup}` : s.kind) },
  { key: "command", title: "Command", cell: (s) => (s.command ? html`<code>${s.command}</code>` : html`<span class="muted">–</span>`) },
  { key: "participant", title: "By", cell: (s) => s.participant ?? html`<span class="muted">this service</span>` },
  { key: "terms", title: "Terms", cell: (s) => s.terms ?? html`<span class="muted">–</span>` },
  { key: "compensation", title: "Undone by", cell: (s) => (s.compensation ? html`<code>${s.compensation}</code>` : html`<span class="muted">–</span>`) },
];

const SIGNS = { same: " ", added: "+", removed: "−", changed: "~" } as const;

/** One version of a definition, or what is different between two. */
@customElement("oc-definition")
export class DefinitionView extends View {
  @query("oc-ask") private question!: OcAsk;
  private readonly definitions = new Loader<Definition[]>(this, (signal) => api.get("sagas/definitions", {}, signal));
  private readonly diff = new Loader<DefinitionDiff>(this, (signal) =>
    api.get(`sagas/definitions/${encodeURIComponent(this.params.name)}/diff`, { from: this.query.get("from"), to: this.query.get("to") }, signal));
  private compared = "";

  override connectedCallback(): void {
    super.connectedCallback();
    this.definitions.load();
  }

  protected override willUpdate(): void {
    this.entitle(this.params.name);
    const asked = `${this.params.name} ${this.query.get("from")} ${this.query.get("to")}`;
    if (!this.query.has("from") || !this.query.has("to") || asked === this.compared) return;
    this.compared = asked;
    this.diff.ask();
  }

  protected override render() {
    const definition = this.definitions.value?.find((d) => d.name === this.params.name);
    const comparing = this.query.has("from") && this.query.has("to");
    return html`
      <div class="stack">
        <oc-toolbar>
          <div slot="title"><nav class="small" aria-label="Above"><a href=${link("definitions")}>Definitions</a></nav><h1 tabindex="-1">${this.params.name}</h1></div>
          ${definition && !comparing && session.operator ? this.renderActions(definition) : nothing}
        </oc-toolbar>
        <oc-problem .problem=${this.definitions.problem} retry @retry=${() => this.definitions.load()}></oc-problem>
        ${this.definitions.value && !definition ? html`<p class="empty panel">There is no definition of this name.</p>` : nothing}
        ${definition?.hold ? this.renderHold(definition.hold) : nothing}
        ${definition && comparing ? this.renderDiff(definition) : nothing}
        ${definition && !comparing ? this.renderVersion(definition) : nothing}
        <oc-ask @done=${() => this.definitions.load()}></oc-ask>
      </div>
    `;
  }

  private renderHold(hold: Hold) {
    return html`<p class="panel">On hold since <oc-time exact .at=${hold.since}></oc-time> by ${hold.by}${hold.reason ? `: ${hold.reason}` : ""}. Nothing is sent for its sagas, and replies are kept, until it is
      resumed${hold.until ? html`, by itself at <oc-time exact .at=${hold.until}></oc-time>` : nothing}.</p>`;
  }

  private renderActions(definition: Definition) {
    const path = `sagas/definitions/${encodeURIComponent(definition.name)}`;
    const version = this.shown(definition);
    return html`
      ${definition.hold
        ? html`<button @click=${() => this.question.ask({
            heading: "Resume this definition", text: "Its sagas take the replies that were kept, and continue where they stopped. Those that are on hold by themselves stay so.", verb: "Resume it",
            act: (reason) => api.post(`${path}/resume`, { reason }),
          })}>Resume</button>`
        : html`<button @click=${() => this.question.ask({
            heading: "Hold this definition", text: "Within seconds nothing is sent for any of its sagas, and new ones wait for their first step. Replies are kept, and no time is lost.", verb: "Hold it",
            until: "Resume by itself at (optional)",
            act: (reason, until) => api.post(`${path}/hold`, { reason, until }),
          })}>Hold</button>`}
      <button ?disabled=${version.knownBy < definition.replicas} title=${version.knownBy < definition.replicas ? `${version.knownBy} of ${definition.replicas} living replicas know version ${version.version}` : ""}
        @click=${() => this.question.ask({
          heading: `New sagas by version ${version.version}`, text: "All replicas follow within seconds; the other new sagas follow the configured version. Open sagas keep theirs.", verb: "Set the share",
          share: "Of a hundred new sagas",
          act: (reason, _, share) => api.post(`${path}/start-version`, { version: version.version, share, reason }),
        })}>New sagas by version ${version.version}</button>
      ${definition.start ? html`<button @click=${() => this.question.ask({
          heading: "Start as configured", text: `${definition.start!.by} has set version ${definition.start!.version} for ${definition.start!.share} of 100 new sagas. From now on all follow the configured version.`, verb: "Start as configured",
          act: (reason) => api.post(`${path}/start-version`, { version: definition.start!.version, share: 0, reason }),
        })}>Start as configured</button>` : nothing}`;
  }

  private shown(definition: Definition): DefinitionVersion {
    const asked = Number(this.query.get("version"));
    const versions = byVersion(definition);
    return versions.find((v) => v.version === asked) ?? versions.find((v) => v.startVersion) ?? versions[0];
  }

  private renderVersion(definition: Definition) {
    const versions = byVersion(definition);
    const version = this.shown(definition);
    const previous = versions[versions.indexOf(version) + 1];
    return html`
      <div class="row">
        ${this.renderSelect("Version", version.version, versions, (n) => ({ version: n }))}
        ${stateOf(version)}
        <p class="number"><a href=${link("sagas", { definition: definition.name, version: version.version, open: "true" })}>${count(version.open)} open</a>${version.ended == null ? "" : `, ${count(version.ended)} ended`}</p>
        ${previous ? html`<a class="push" href=${this.diffLink(previous.version, version.version)}>Compare with version ${previous.version}</a>` : nothing}
      </div>
      <section class="panel" aria-label="Graph"><oc-graph .name=${definition.name} .version=${version.version} .steps=${version.steps}></oc-graph></section>
      <oc-table caption="Steps of version ${version.version}" .columns=${STEPS} .rows=${version.steps} .rowKey=${(s: DefinitionStep) => s.name}></oc-table>
    `;
  }

  private renderDiff(definition: Definition) {
    const versions = byVersion(definition);
    const from = Number(this.query.get("from"));
    const to = Number(this.query.get("to"));
    const lines = this.diff.value?.lines ?? [];
    return html`
      <div class="row">
        ${this.renderSelect("From version", from, versions, (n) => ({ from: n }))}
        ${this.renderSelect("To version", to, versions, (n) => ({ to: n }))}
        <a class="push" href=${link(`definitions/${encodeURIComponent(definition.name)}`, { version: to })}>Show version ${to} alone</a>
      </div>
      <oc-problem .problem=${this.diff.problem} retry @retry=${() => this.diff.load()}></oc-problem>
      <section class="panel flush" aria-label="Differences">
        <ol class="diff">
          ${lines.map((l) => html`<li class=${l.change}>
            <span class="sign" aria-hidden="true">${SIGNS[l.change]}</span><span class="heard">${l.change}:</span>
            <span class="step">${l.step}</span><span class="detail">${l.detail}</span></li>`)}
        </ol>
        ${this.diff.value && lines.every((l) => l.change === "same") ? html`<p class="empty">No differences</p>` : nothing}
      </section>
    `;
  }

  private renderSelect(label: string, value: number, versions: DefinitionVersion[], change: (n: string) => Record<string, string>) {
    return html`<label class="inline">${label}
      <select @change=${(e: Event) => router.setQuery(change((e.target as HTMLSelectElement).value))}>
        ${versions.map((v) => html`<option .value=${String(v.version)} .selected=${live(v.version === value)}>${v.version}</option>`)}
      </select></label>`;
  }

  private diffLink(from: number, to: number): string {
    return link(`definitions/${encodeURIComponent(this.params.name)}`, { from, to });
  }

  static override styles = [
    ...View.styles,
    css`
      .inline { display: inline-flex; align-items: center; gap: var(--s2); }
      .diff { list-style: none; margin: 0; padding: var(--s2) 0; }
      .diff li { display: grid; grid-template-columns: 1.25rem minmax(8rem, 16rem) minmax(0, 1fr); gap: var(--s2); padding: 0.25rem var(--s4); border-inline-start: 3px solid transparent; overflow-wrap: anywhere; }
      .sign { font-family: var(--mono); text-align: center; }
      .step { font-weight: 560; }
      .detail, .same { color: var(--muted); }
      .same .step { font-weight: 450; }
      .added { background: var(--good-tint); border-color: var(--good) !important; }
      .removed { background: var(--bad-tint); border-color: var(--bad) !important; }
      .changed { background: var(--warn-tint); border-color: var(--warn) !important; }
      .added .detail, .removed .detail, .changed .detail { color: var(--text); }
      @media (max-width: 40rem) {
        .diff li { grid-template-columns: 1.25rem minmax(0, 1fr); padding-inline: var(--s3); }
        .detail { grid-column: 2; }
      }
    `,
  ];
}

function byVersion(definition: Definition): DefinitionVersion[] {
  return [...definition.versions].sort((a, b) => b.version - a.version);
}
