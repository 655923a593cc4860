import { css, html, LitElement } from "lit";
import { customElement } from "lit/decorators.js";
import { base } from "../styles/base";

/** The head of a view: its h1 (slot "title") to the left, what one may do to the right; wraps where it is narrow. */
@customElement("oc-toolbar")
export class OcToolbar extends LitElement {
  protected override render() {
    return html`<div class="bar"><div class="title"><slot name="title"></slot></div><div class="tools"><slot></slot></div></div>`;
  }

  static override styles = [
    base,
    css`
      :host { display: block; }
      .bar { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: var(--s3) var(--s4); min-height: 2rem; }
      .title { min-width: 0; }
      .tools { display: flex; flex-wrap: wrap; align-items: center; gap: var(--s2); }
    `,
  ];
}
