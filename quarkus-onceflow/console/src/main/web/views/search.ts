import { html } from "lit";
import { customElement } from "lit/decorators.js";
import { api } from "../api";
import { plural } from "../format";
import { link, router } from "../router";
import { session } from "../session";
import { Loader, View } from "../view";
import type { Column } from "../elements/table";
import "../elements/problem";
import "../elements/status";
import "../elements/table";
import "../elements/time";
import "../elements/toolbar";

interface Hit {
  foundBy: "saga" | "subject" | "key" | "customer";
  id: string;
  definition: string;
  version: number;
  subjectId: string;
  status: string;
  startedAt: string;
}

const FOUND_BY: Record<Hit["foundBy"], string> = { saga: "saga", subject: "order or other subject", key: "idempotency key", customer: "customer" };

const COLUMNS: Column<Hit>[] = [
  { key: "id", title: "Saga", cell: (h) => html`<a class="mono" href=${link(`sagas/${h.id}`)}>${h.id}</a>` },
  { key: "by", title: "Found by", cell: (h) => FOUND_BY[h.foundBy] },
  { key: "definition", title: "Definition", cell: (h) => html`${h.definition} <span class="muted">v${h.version}</span>` },
  { key: "status", title: "Status", cell: (h) => html`<oc-status .value=${h.status}></oc-status>` },
  { key: "started", title: "Started", end: true, cell: (h) => html`<oc-time .at=${h.startedAt}></oc-time>` },
];

/** Sagas by one text; the only one is opened at once. */
@customElement("oc-search")
export class SearchView extends View {
  private asked: string | null = null;
  private readonly hits = new Loader<Hit[]>(this, (signal) => api.get("sagas/search", { q: this.asked }, signal));

  protected override willUpdate(): void {
    const q = this.query.get("q") ?? "";
    if (q === this.asked) return;
    this.asked = q;
    this.hits.forget();
    this.hits.load().then(() => this.openTheOnlyOne(q));
  }

  private openTheOnlyOne(q: string): void {
    const found = this.hits.value;
    if (found?.length === 1 && q === this.asked && this.isConnected) router.go(link(`sagas/${found[0].id}`), true);
  }

  protected override render() {
    const { value, problem } = this.hits;
    const empty = session.operator
      ? "No saga has this id, subject, idempotency key or customer. Short ids and keys are looked for among the open sagas and the newest 20,000"
      : "No saga has this id or subject. Short ids are looked for among the open sagas and the newest 20,000";
    return html`
      <div class="stack">
        <oc-toolbar>
          <h1 slot="title" tabindex="-1">Search</h1>
          <span class="muted small" role="status">${value ? `${plural(value.length, "saga")} for "${this.asked}"` : ""}</span>
        </oc-toolbar>
        <oc-problem .problem=${problem} retry @retry=${() => this.hits.load()}></oc-problem>
        ${problem ? "" : html`<oc-table caption="Sagas that were found, newest first" .empty=${empty} .columns=${COLUMNS} .rows=${value ?? []} .rowKey=${(h: Hit) => h.id} ?busy=${!value}></oc-table>`}
      </div>
    `;
  }
}
