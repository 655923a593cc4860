import { html } from "lit";
import { customElement } from "lit/decorators.js";
import { api } from "../api";
import { count, plural } from "../format";
import { link } from "../router";
import type { Definition, DefinitionVersion } from "../types";
import { Loader, View } from "../view";
import "../elements/problem";
import "../elements/status";
import type { Column } from "../elements/table";
import "../elements/table";
import "../elements/toolbar";

interface Row {
  name: string;
  replicas: number;
  held: boolean;
  version: DefinitionVersion;
  previous: DefinitionVersion | null;
}

/** Every definition with its versions, newest first, each with the one before it. */
export function rowsOf(definitions: Definition[]): Row[] {
  return definitions.flatMap(({ name, replicas, hold, versions }) => {
    const sorted = [...versions].sort((a, b) => b.version - a.version);
    return sorted.map((version, i) => ({ name, replicas, held: !!hold, version, previous: sorted[i + 1] ?? null }));
  });
}

/** Who follows a version: new sagas, or none any more. */
export function stateOf(version: DefinitionVersion) {
  if (version.drained) return html`<oc-status value="drained"></oc-status>`;
  if (!version.startVersion) return "";
  return html`<oc-status value=${(version.share ?? 100) === 100 ? "new sagas start here" : `${version.share} % of new sagas`} tone="info"></oc-status>`;
}

const COLUMNS: Column<Row>[] = [
  { key: "name", title: "Definition", cell: (r) => html`<span class="row"><a href=${link(`definitions/${encodeURIComponent(r.name)}`, { version: r.version.version })}>${r.name}</a>${r.held ? html`<oc-status value="ON_HOLD"></oc-status>` : ""}</span>` },
  { key: "version", title: "Version", cell: (r) => html`<span class="row"><span>${r.version.version}</span>${stateOf(r.version)}</span>` },
  { key: "known", title: "Known by", end: true, cell: (r) => html`<span class=${r.version.knownBy < r.replicas ? "warn" : ""}>${r.version.knownBy} of ${plural(r.replicas, "replica")}</span>` },
  { key: "steps", title: "Steps", end: true, cell: (r) => count(r.version.steps.length) },
  { key: "open", title: "Open", end: true, cell: (r) => html`<a href=${link("sagas", { definition: r.name, version: r.version.version, open: "true" })}>${count(r.version.open)}</a>` },
  { key: "ended", title: "Ended", end: true, cell: (r) => count(r.version.ended) },
  {
    key: "diff", title: "Changes", cell: (r) => r.previous
      ? html`<a href=${link(`definitions/${encodeURIComponent(r.name)}`, { from: r.previous.version, to: r.version.version })}>against version ${r.previous.version}</a>`
      : html`<span class="muted">the first</span>`,
  },
];

/** Which definitions there are, and how many sagas run by each of their versions. */
@customElement("oc-definitions")
export class DefinitionsView extends View {
  private readonly definitions = new Loader<Definition[]>(this, (signal) => api.get("sagas/definitions", {}, signal));

  override connectedCallback(): void {
    super.connectedCallback();
    this.definitions.load();
  }

  protected override render() {
    const found = this.definitions.value ?? [];
    return html`
      <div class="stack">
        <oc-toolbar>
          <h1 slot="title" tabindex="-1">Definitions</h1>
          <span class="muted small">${this.definitions.value ? plural(found.length, "definition") : ""}</span>
        </oc-toolbar>
        <oc-problem .problem=${this.definitions.problem} retry @retry=${() => this.definitions.load()}></oc-problem>
        <oc-table caption="Definitions and their versions" .columns=${COLUMNS} .rows=${rowsOf(found)} ?busy=${!this.definitions.value}
          empty="This application orchestrates no sagas."></oc-table>
      </div>
    `;
  }
}
