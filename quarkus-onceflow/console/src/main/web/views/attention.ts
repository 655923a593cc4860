import { css, html } from "lit";
import { customElement } from "lit/decorators.js";
import type { Cause } from "../causes";
import { count, plural } from "../format";
import { readGroups } from "../parked";
import { link } from "../router";
import type { ParkedGroup } from "../sagas";
import { Situation } from "../situation";
import { Loader, Poll, View } from "../view";
import { renderCause } from "../elements/cause";
import type { Column } from "../elements/table";
import "../elements/live";
import "../elements/problem";
import "../elements/status";
import "../elements/table";
import "../elements/time";
import "../elements/toolbar";

/** Grouping many messages takes longer than all the rest. */
const GROUPS_EVERY_MS = 15_000;

const COLUMNS: Column<Cause>[] = [
  { key: "cause", title: "Cause", cell: (c) => html`<span class="cause">${renderCause(c)}</span>` },
  { key: "tone", title: "Urgency", cell: (c) => html`<oc-status value=${c.tone === "bad" ? "act now" : "look into it"} .tone=${c.tone}></oc-status>` },
  { key: "count", title: "Number", end: true, cell: (c) => (c.count == null ? html`<span class="muted">–</span>` : html`<a href=${c.parts.at(-1)!.href}>${count(c.count)}</a>`) },
  { key: "since", title: "Since", end: true, cell: (c) => html`<oc-time .at=${c.since ?? null}></oc-time>` },
  { key: "todo", title: "What to do", cell: (c) => c.todo },
];

/** All that an operator has to do something about, the worst first; empty when there is nothing. */
@customElement("oc-attention")
export class AttentionView extends View {
  private readonly situation = new Situation(this);
  /** Asked for once a service has parked messages: they tell since when. */
  private readonly groups = new Loader<ParkedGroup[]>(this, (signal) => readGroups(this.parking(), signal));
  private readonly groupsPoll = new Poll(this, this.groups, GROUPS_EVERY_MS, () => this.hasParked());

  override connectedCallback(): void {
    super.connectedCallback();
    this.situation.load();
  }

  protected override updated(): void {
    if (this.hasParked() && !this.groups.value && !this.groups.loading && !this.groups.problem) this.groups.load();
  }

  /** The services that have parked messages; none where there is only this one. */
  private parking(): string[] {
    return (this.situation.services.value ?? []).filter((s) => (s.participant?.parked ?? 0) > 0).map((s) => s.name);
  }

  private hasParked(): boolean {
    const { services, overview } = this.situation;
    return services.value !== null && (services.value.length > 0 ? this.parking().length > 0 : (overview.value?.parked ?? 0) > 0);
  }

  protected override render() {
    const { overview, poll, unknown } = this.situation;
    const causes = this.situation.causes(this.groups.value);
    return html`
      <div class="stack">
        <oc-toolbar>
          <h1 slot="title" tabindex="-1">Needs attention</h1>
          <span class="muted small number" role="status">${overview.value && causes.length > 0 ? plural(causes.length, "cause") : ""}</span>
          <oc-live .state=${poll.state} @toggle=${() => poll.toggle()}></oc-live>
        </oc-toolbar>
        <oc-problem .problem=${overview.value ? null : overview.problem} retry @retry=${() => this.situation.load()}></oc-problem>
        ${overview.value ? this.renderCauses(causes, unknown) : ""}
      </div>
    `;
  }

  private renderCauses(causes: Cause[], unknown: string | null) {
    if (causes.length === 0) return unknown ? html`<p class="muted">${unknown}</p>` : html`<p class="panel nothing">Nothing needs attention.</p>`;
    return html`
      <oc-table caption="What needs attention, the worst first" .columns=${COLUMNS} .rows=${causes} .rowKey=${(c: Cause) => c.parts[0].text}></oc-table>
      ${unknown ? html`<p class="muted">${unknown}</p>` : ""}
      <p class="small"><a href=${link("failures")}>What the steps fail of, by groups</a></p>`;
  }

  static override styles = [
    ...View.styles,
    css`
      .nothing { color: var(--good); }
    `,
  ];
}
