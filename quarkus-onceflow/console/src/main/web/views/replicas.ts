import { html, nothing } from "lit";
import { customElement } from "lit/decorators.js";
import { api } from "../api";
import { count, duration, plural } from "../format";
import type { Replica } from "../types";
import { Loader, Poll, View } from "../view";
import "../elements/live";
import "../elements/problem";
import "../elements/status";
import type { Column } from "../elements/table";
import "../elements/table";
import "../elements/time";
import "../elements/toolbar";

/** Each replica writes every ten seconds how it does. */
const EVERY_MS = 5000;
const MIB = 1 << 20;

const COLUMNS: Column<Replica>[] = [
  { key: "host", title: "Replica", cell: (r) => html`<span class="row"><span class="break">${r.host ?? r.id}</span>${r.self ? html`<oc-status value="answers here" tone="info"></oc-status>` : nothing}</span>` },
  { key: "state", title: "State", cell: (r) => r.living ? html`<oc-status value="living" tone="good"></oc-status>` : html`<span class="row"><oc-status value="not seen" tone="bad"></oc-status><span class="small">since <oc-time .at=${r.seenAt}></oc-time></span></span>` },
  { key: "build", title: "Build", cell: (r) => r.build ?? html`<span class="warn">an older release</span>` },
  { key: "started", title: "Started", cell: (r) => html`<oc-time .at=${r.startedAt}></oc-time>` },
  { key: "knows", title: "Knows", cell: (r) => html`${r.knows.join(", ")}${r.lacks.length > 0 ? html`<br><span class="warn">not ${r.lacks.join(", ")}</span>` : nothing}` },
  { key: "roles", title: "Roles", wide: true, cell: (r) => r.roles.join(", ") || "–" },
  { key: "connections", title: "Connections", end: true, cell: (r) => r.connections ? html`<span class=${r.connections.waiting > 0 ? "warn" : ""}>${count(r.connections.inUse)} of ${count(r.connections.most)}${r.connections.waiting > 0 ? `, ${count(r.connections.waiting)} wait` : ""}</span>` : "–" },
  { key: "heap", title: "Heap", end: true, cell: (r) => r.heap ? `${count(r.heap.used / MIB)} of ${count(r.heap.most / MIB)} MiB` : "–" },
  { key: "loops", title: "Loops", cell: (r) => r.loops.length > 0 ? renderLoops(r) : "–" },
];

/** What the living ones have in common, or that they differ. */
export function sentenceOf(replicas: Replica[]): string {
  const living = replicas.filter((r) => r.living);
  const builds = new Set(living.map((r) => r.build));
  const lacking = living.filter((r) => r.lacks.length > 0).length;
  if (lacking > 0) return `${plural(living.length, "living replica")}; ${lacking} of them ${lacking === 1 ? "lacks" : "lack"} versions that others know.`;
  return builds.size > 1 ? `${plural(living.length, "living replica")} of ${plural(builds.size, "build")}.` : `${plural(living.length, "living replica")}, all of one build.`;
}

/** How long before it was seen each loop had last ended a turn. */
function renderLoops(r: Replica) {
  return html`<details><summary>${plural(r.loops.length, "loop")}</summary>
    <dl class="facts">${r.loops.map((l) => html`<dt>${l.name}</dt><dd>${duration(Date.parse(r.seenAt) - Date.parse(l.lastTurnAt))}</dd>`)}</dl></details>`;
}

/** The processes that run sagas, and whether one of an old build lives still. */
@customElement("oc-replicas")
export class ReplicasView extends View {
  private readonly replicas = new Loader<Replica[]>(this, (signal) => api.get("sagas/replicas", {}, signal));
  private readonly poll = new Poll(this, this.replicas, EVERY_MS);

  override connectedCallback(): void {
    super.connectedCallback();
    this.replicas.load();
  }

  protected override render() {
    const found = this.replicas.value ?? [];
    return html`
      <div class="stack">
        <oc-toolbar>
          <h1 slot="title" tabindex="-1">Replicas</h1>
          <span class="muted small">${this.replicas.value ? sentenceOf(found) : ""}</span>
          <oc-live .state=${this.poll.state} @toggle=${() => this.poll.toggle()}></oc-live>
        </oc-toolbar>
        <oc-problem .problem=${this.replicas.problem} retry @retry=${() => this.replicas.load()}></oc-problem>
        <oc-table caption="Replicas" .columns=${COLUMNS} .rows=${found} .rowKey=${(r: Replica) => r.id} ?busy=${!this.replicas.value}
          empty="No replica has been seen within the last hour."></oc-table>
      </div>
    `;
  }
}
