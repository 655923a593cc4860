import { html, nothing } from "lit";
import { customElement } from "lit/decorators.js";
import { api } from "../api";
import { count, plural, short } from "../format";
import { link } from "../router";
import { session } from "../session";
import { Loader, Poll, View } from "../view";
import type { Column } from "../elements/table";
import "../elements/live";
import "../elements/problem";
import "../elements/table";
import "../elements/time";
import "../elements/toolbar";

const EVERY_MS = 5000;

/** As GET /sagas/failures answers it. */
interface FailureGroups {
  /** False where there are more open sagas than are read. */
  complete: boolean;
  groups: FailureGroup[];
}

/** Open sagas that fail of the same. */
interface FailureGroup {
  fingerprint: string;
  definition: string;
  /** Null where they are in quarantine and wait for none; likewise the direction. */
  step: string | null;
  direction: "forward" | "backward" | null;
  kind: "no-answer" | "refused" | "quarantined";
  error: string | null;
  count: number;
  firstAt: string;
  lastAt: string;
  samples: string[];
}

const KINDS: Record<FailureGroup["kind"], string> = { "no-answer": "no answer", refused: "refused", quarantined: "handling the saga fails" };

/** By which a list and a repair are of exactly these sagas. */
const filterOf = ({ definition, fingerprint }: FailureGroup) => ({ definition, failure: fingerprint });

const COLUMNS: Column<FailureGroup>[] = [
  { key: "count", title: "Sagas", end: true, cell: (g) => html`<a href=${link("sagas", filterOf(g))}>${count(g.count)}</a>` },
  { key: "step", title: "Step", cell: (g) => html`<strong>${stepOf(g)}</strong> <span class="muted">of ${g.definition}</span>` },
  { key: "error", title: "Error", cell: (g) => html`${KINDS[g.kind]}${g.error ? html` <span class="muted break">${g.error}</span>` : nothing}` },
  { key: "first", title: "First", end: true, cell: (g) => html`<oc-time .at=${g.firstAt}></oc-time>` },
  { key: "last", title: "Last", end: true, wide: true, cell: (g) => html`<oc-time .at=${g.lastAt}></oc-time>` },
  { key: "example", title: "Example", wide: true, cell: (g) => html`<a class="mono" href=${link(`sagas/${g.samples[0]}`)} title=${g.samples[0]}>${short(g.samples[0])}</a>` },
];

/** Where they are held up: a step, its compensation, or none of them. */
function stepOf(g: FailureGroup): string {
  if (!g.step) return "no step";
  return g.direction === "backward" ? `undo ${g.step}` : g.step;
}

/** What the sagas that do not move on have in common, each group with its repair. */
@customElement("oc-failures")
export class FailuresView extends View {
  private readonly groups = new Loader<FailureGroups>(this, (signal) => api.get("sagas/failures", {}, signal));
  private readonly poll = new Poll(this, this.groups, EVERY_MS);

  override connectedCallback(): void {
    super.connectedCallback();
    this.groups.load();
  }

  protected override render() {
    const { value: answer, problem } = this.groups;
    const value = answer?.groups;
    const sagas = (value ?? []).reduce((sum, g) => sum + g.count, 0);
    return html`
      <div class="stack">
        <oc-toolbar>
          <h1 slot="title" tabindex="-1">Failing steps</h1>
          <span class="muted small number" role="status">${value?.length ? `${plural(sagas, "saga")} in ${plural(value.length, "group")}` : ""}</span>
          <oc-live .state=${this.poll.state} @toggle=${() => this.poll.toggle()}></oc-live>
        </oc-toolbar>
        <oc-problem .problem=${problem} retry @retry=${() => this.groups.load()}></oc-problem>
        ${problem && !value ? nothing : html`<oc-table caption="Sagas that do not move on, by step and error, the largest group first" empty="No failing steps" .columns=${this.columns()} .rows=${value ?? []}
          .rowKey=${(g: FailureGroup) => g.fingerprint} ?busy=${!value}></oc-table>`}
        ${answer && !answer.complete ? html`<p class="small" role="status">There are more open sagas than are read: 10,000 of each definition, those in quarantine and stuck ones first. The list behind a number has all of its group.</p>` : nothing}
        <p class="small muted">Sagas that are stuck or quarantined, or whose message was sent again. Those on hold are not among them.</p>
      </div>
    `;
  }

  /** A group is repaired as any other sagas: with a preview and a reason. */
  private columns(): Column<FailureGroup>[] {
    if (!session.operator) return COLUMNS;
    return [...COLUMNS, { key: "act", title: "Action", cell: (g) => html`<a class="button" href=${link("repairs", { new: "true", ...filterOf(g) })}>Retry group</a>` }];
  }
}
