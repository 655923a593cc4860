import { css, html, LitElement, nothing } from "lit";
import { customElement, property, query, state } from "lit/decorators.js";
import { copyText } from "../copy";
import { icons } from "../icons";
import { base } from "../styles/base";

/** Text as JSON with two spaces, or as it is where it is none; numbers keep their digits. */
export function pretty(text: string): string {
  try {
    JSON.parse(text);
  } catch {
    return text;
  }
  let depth = 0;
  const lineAt = (d: number) => "\n" + "  ".repeat(d);
  const tokens = text.match(/"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g) ?? [];
  return tokens
    .map((token, i) => {
      const empty = (token === "{" && tokens[i + 1] === "}") || (token === "[" && tokens[i + 1] === "]");
      const closesEmpty = (token === "}" && tokens[i - 1] === "{") || (token === "]" && tokens[i - 1] === "[");
      if (token === "{" || token === "[") return token + (empty ? (depth++, "") : lineAt(++depth));
      if (token === "}" || token === "]") return (--depth, closesEmpty ? "" : lineAt(depth)) + token;
      return token === "," ? token + lineAt(depth) : token === ":" ? ": " : token;
    })
    .join("");
}

/** A body for reading, with a button that copies it as it was. `value` may also be an object. */
@customElement("oc-json")
export class OcJson extends LitElement {
  @property({ attribute: false }) value: unknown = null;
  @property() label = "Body";
  @state() private copied = "Copy";
  @query("pre") private shown!: HTMLElement;

  private get raw(): string {
    return typeof this.value === "string" ? this.value : JSON.stringify(this.value);
  }

  protected override render() {
    if (this.value == null) return nothing;
    return html`
      <div class="box">
        <button class="quiet" @click=${this.copy}>${icons.copy}<span>${this.copied}</span></button>
        <pre tabindex="0" role="region" aria-label=${this.label}>${pretty(this.raw)}</pre>
      </div>
    `;
  }

  private async copy(): Promise<void> {
    this.copied = (await copyText(this.raw, this.shown)) === "copied" ? "Copied" : "Selected";
    setTimeout(() => (this.copied = "Copy"), 1500);
  }

  static override styles = [
    base,
    css`
      :host { display: block; min-width: 0; }
      .box { position: relative; }
      pre { margin: 0; padding: var(--s3); padding-inline-end: 6rem; max-height: 24rem; overflow: auto; background: var(--sunken); border-radius: var(--radius); font: 0.8125rem/1.5 var(--mono); white-space: pre-wrap; overflow-wrap: anywhere; }
      button { position: absolute; inset-inline-end: var(--s1); top: var(--s1); font-size: 0.75rem; background: var(--sunken); }
    `,
  ];
}
