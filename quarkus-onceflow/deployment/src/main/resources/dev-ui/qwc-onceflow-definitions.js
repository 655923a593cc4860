import { QwcHotReloadElement, html, css } from 'qwc-hot-reload-element';
import { JsonRpc } from 'jsonrpc';

/** Draws the definitions: steps from left to right, each above what undoes it and the ways that go on from it. */
export class QwcOnceflowDefinitions extends QwcHotReloadElement {
  jsonRpc = new JsonRpc(this);

  static styles = css`
    :host { display: block; padding: 1em; overflow: auto; }
    .saga { display: flex; align-items: flex-start; margin-bottom: 2em; }
    .column { display: flex; flex-direction: column; gap: 0.5em; }
    .step, .undo { border: 1px solid var(--lumo-contrast-50pct); border-radius: 4px; padding: 0.4em 0.8em; text-align: center; }
    .undo { border-style: dashed; color: var(--lumo-error-text-color); margin-top: 0.3em; }
    .run { border-radius: 1.5em; }
    .pivot { border-width: 3px; font-weight: bold; }
    .choice { border-style: double; border-width: 3px; }
    .event, .sleep, .approval { border-radius: 1.5em; border-style: dotted; }
    .way { display: flex; align-items: flex-start; margin: 0.4em 0 0 0.8em; border-left: 2px solid var(--lumo-contrast-20pct); }
    .arrow { padding: 0.4em 0.6em; }
  `;

  static properties = { _definitions: { state: true } };

  connectedCallback() {
    super.connectedCallback();
    this.hotReload();
  }

  hotReload() {
    this.jsonRpc.definitions().then(answer => { this._definitions = answer.result; });
  }

  render() {
    if (!this._definitions) {
      return html`<p>Loading …</p>`;
    }
    return this._definitions.length === 0
      ? html`<p>This application leads no sagas.</p>`
      : this._definitions.map(definition => html`
          <h4>${definition.name}</h4>
          <div class="saga">${this._columns(definition.columns)}</div>`);
  }

  _columns(columns) {
    return columns.map((steps, i) => html`
      ${i > 0 ? html`<span class="arrow">→</span>` : ''}
      <div class="column">${steps.map(step => this._step(step))}</div>`);
  }

  _step(step) {
    return html`<div>
      <div class="step ${step.kind}" title=${step.kind}>${step.name}</div>
      ${step.compensation ? html`<div class="undo" title="undoes ${step.name}">${step.compensation}</div>` : ''}
      ${step.ways.map(way => html`
        <div class="way"><span class="arrow">${way.name}</span>
          ${way.columns.length > 0 ? this._columns(way.columns) : html`<span class="arrow">→</span>`}</div>`)}
    </div>`;
  }
}
customElements.define('qwc-onceflow-definitions', QwcOnceflowDefinitions);
