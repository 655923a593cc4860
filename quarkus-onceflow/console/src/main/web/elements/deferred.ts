import { css, html, LitElement, nothing } from "lit";
import { customElement } from "lit/decorators.js";
import { api } from "../api";
import { link } from "../router";
import { base } from "../styles/base";
import { Loader } from "../view";
import type { Column } from "./table";
import "./problem";
import "./table";
import "./time";

interface DeferredReply {
  id: string;
  sagaId: string;
  definition: string;
  version: number;
  type: string;
  receivedAt: string;
}

const COLUMNS: Column<DeferredReply>[] = [
  { key: "type", title: "Reply", cell: (r) => html`<strong>${r.type}</strong>` },
  { key: "definition", title: "Definition", cell: (r) => html`<a href=${link(`definitions/${encodeURIComponent(r.definition)}`)}>${r.definition}</a> <span class="muted">v${r.version}</span>` },
  { key: "saga", title: "Saga", cell: (r) => html`<a class="mono" href=${link(`sagas/${r.sagaId}`)} title=${r.sagaId}>${r.sagaId.slice(-12)}</a>` },
  { key: "received", title: "Waits since", end: true, cell: (r) => html`<oc-time .at=${r.receivedAt}></oc-time>` },
];

/** Replies that wait for a replica that knows the version of their saga; nothing where there are none. */
@customElement("oc-deferred")
export class OcDeferred extends LitElement {
  private readonly replies = new Loader<DeferredReply[]>(this, (signal) => api.get("deferred-replies", { limit: 50 }, signal));

  override connectedCallback(): void {
    super.connectedCallback();
    this.replies.load();
  }

  protected override render() {
    const { value, problem } = this.replies;
    if (problem) return html`<oc-problem .problem=${problem} retry @retry=${() => this.replies.load()}></oc-problem>`;
    if (!value?.length) return nothing;
    return html`
      <section class="stack tight" aria-labelledby="deferred">
        <h2 id="deferred">Deferred replies</h2>
        <p class="muted small">They wait for a replica of a build that knows their saga's version. No action is needed but to deploy that build.</p>
        <oc-table caption="Deferred replies, newest first" .columns=${COLUMNS} .rows=${value} .rowKey=${(r: DeferredReply) => r.id}></oc-table>
      </section>`;
  }

  static override styles = [base, css`:host { display: block; }`];
}
