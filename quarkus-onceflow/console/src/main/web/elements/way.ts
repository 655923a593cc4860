import { css, html, LitElement, nothing } from "lit";
import { customElement, property } from "lit/decorators.js";
import type { SagaView } from "../sagas";
import { itemOf, standingOf } from "../standing";
import { base } from "../styles/base";
import type { DefinitionStep } from "../types";
import "./graph";
import "./status";

/** The way of a saga through its definition: which branches it takes, what it skips, and the items of a step on demand. */
@customElement("oc-way")
export class OcWay extends LitElement {
  @property({ attribute: false }) saga!: SagaView;
  @property({ attribute: false }) steps: DefinitionStep[] = [];

  protected override render() {
    const standing = standingOf(this.saga, this.steps);
    return html`
      <oc-graph .name=${this.saga.definition} .version=${this.saga.version} .steps=${this.steps} .standing=${standing}></oc-graph>
      ${[...standing].filter(([, its]) => its.items.length > 0).map(([name, its]) => html`
        <details>
          <summary>${name} <span class="muted">${its.text}</span></summary>
          <ul>${its.items.map((item) => html`<li><span>${itemOf(item)}</span> <oc-status .value=${item.status}></oc-status>${item.attempts > 1 ? html` <span class="muted">sent ${item.attempts} times</span>` : nothing}</li>`)}</ul>
        </details>`)}`;
  }

  static override styles = [
    base,
    css`
      :host { display: block; }
      summary { cursor: pointer; padding: var(--s1) 0; }
      ul { list-style: none; margin: 0; padding: 0 0 0 var(--s4); display: grid; gap: var(--s1); }
      li { overflow-wrap: anywhere; }
    `,
  ];
}
