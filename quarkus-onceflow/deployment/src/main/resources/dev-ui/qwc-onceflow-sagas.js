import { QwcHotReloadElement, html, css } from 'qwc-hot-reload-element';
import { JsonRpc } from 'jsonrpc';
import '@vaadin/button';
import '@vaadin/grid';
import { columnBodyRenderer } from '@vaadin/grid/lit.js';

/** The sagas as they move, the history of one of them, and faults for the next message. */
export class QwcOnceflowSagas extends QwcHotReloadElement {
  jsonRpc = new JsonRpc(this);

  static styles = css`
    :host { display: block; padding: 0 1em; }
    .faults { display: flex; align-items: baseline; gap: 0.5em; }
  `;

  static properties = {
    _sagas: { state: true },
    _history: { state: true },
    _faults: { state: true },
  };

  connectedCallback() {
    super.connectedCallback();
    this._faults = [];
    this.hotReload();
    this._timer = setInterval(() => this.hotReload(), 1000);
  }

  disconnectedCallback() {
    clearInterval(this._timer);
    super.disconnectedCallback();
  }

  hotReload() {
    this.jsonRpc.sagas().then(answer => { this._sagas = answer.result; });
    this.jsonRpc.faults().then(answer => { this._faults = answer.result; });
    if (this._chosen) {
      this.jsonRpc.history({ saga: this._chosen }).then(answer => { this._history = answer.result; });
    }
  }

  render() {
    return html`
      <div class="faults">
        The next message:
        ${['lose', 'repeat', 'delay'].map(kind => html`
          <vaadin-button theme="small" @click=${() => this._fault(kind)}>${kind}</vaadin-button>`)}
        ${this._faults.length > 0 ? html`waiting: ${this._faults.join(', ')}` : ''}
      </div>
      <vaadin-grid .items="${this._sagas ?? []}" theme="no-border">
        <vaadin-grid-column header="Saga" ${columnBodyRenderer(saga => this._link(saga), [])}></vaadin-grid-column>
        <vaadin-grid-column path="definition"></vaadin-grid-column>
        <vaadin-grid-column path="version"></vaadin-grid-column>
        <vaadin-grid-column path="status"></vaadin-grid-column>
        <vaadin-grid-column path="reason"></vaadin-grid-column>
        <vaadin-grid-column path="startedAt"></vaadin-grid-column>
      </vaadin-grid>
      ${this._history ? this._renderHistory() : ''}`;
  }

  _renderHistory() {
    return html`
      <h4>${this._chosen}</h4>
      <vaadin-grid .items="${this._history}" theme="no-border" all-rows-visible>
        <vaadin-grid-column path="at"></vaadin-grid-column>
        <vaadin-grid-column path="event"></vaadin-grid-column>
        <vaadin-grid-column path="step"></vaadin-grid-column>
        <vaadin-grid-column path="detail"></vaadin-grid-column>
      </vaadin-grid>`;
  }

  _link(saga) {
    return html`<vaadin-button theme="tertiary small" @click=${() => this._choose(saga.id)}>${saga.id}</vaadin-button>`;
  }

  _choose(id) {
    this._chosen = id;
    this.hotReload();
  }

  _fault(kind) {
    this.jsonRpc.fault({ kind }).then(answer => { this._faults = answer.result; });
  }
}
customElements.define('qwc-onceflow-sagas', QwcOnceflowSagas);
