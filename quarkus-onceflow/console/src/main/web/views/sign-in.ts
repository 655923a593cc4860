import { css, html, nothing } from "lit";
import { customElement, state } from "lit/decorators.js";
import { Problem } from "../api";
import { icons } from "../icons";
import { CONSOLE } from "../base";
import { returnPath } from "../router";
import { session } from "../session";
import { View } from "../view";
import "../elements/problem";

/** Why the issuer did not sign somebody in, by the code in the address; any other text of an address is not shown. */
const ERRORS: Record<string, [string, string]> = {
  access_denied: ["The issuer did not sign you in", "It may not know your account for this service. Ask those who administer it."],
  not_accepted: ["Your sign-in was not accepted", "What the issuer sent is not for this service or could not be verified. The service's log has the reason."],
  expired: ["Signing in took too long", "Try it once more."],
  unreachable: ["The issuer is unreachable", "Try it again in a moment, or sign in with a token."],
};

/** Signing in by the configured issuer, or with a token. */
@customElement("oc-sign-in")
export class SignInView extends View {
  @state() private problem: Problem | null = null;
  @state() private busy = false;

  protected override render() {
    const { signInUrl } = session.now;
    return html`
      <div class="card panel">
        <p class="brand">${icons.brand}<span>Onceflow</span></p>
        <h1 tabindex="-1">Sign in</h1>
        ${session.ended && !this.problem ? html`<p class="ended" role="status"><strong>Your session has ended.</strong> Sign in again: the page comes back to where you were${session.draft ? ", with the reason that you have typed" : ""}.</p>` : nothing}
        <oc-problem .problem=${this.problem ?? this.issuerProblem()}></oc-problem>
        ${signInUrl ? html`<a class="button issuer" href=${this.withReturn(signInUrl)} target="_self">Sign in with your account</a><p class="or muted small">or</p>` : nothing}
        <form @submit=${this.submit}>
          <label>Access token
            <input name="token" type="password" autocomplete="off" spellcheck="false" required>
          </label>
          <button class="primary" ?disabled=${this.busy}>Sign in with a token</button>
        </form>
        <p class="muted small">On a local stack, <code>./onceflow console</code> opens this page signed in. A token is kept for this tab only.</p>
      </div>
    `;
  }

  /** Tells the service where to come back to. */
  private withReturn(signInUrl: string): string {
    const url = new URL(signInUrl, location.href);
    url.searchParams.set("to", CONSOLE + returnPath(this.query));
    return url.href;
  }

  /** What the service or the issuer says in the address. */
  private issuerProblem(): Problem | null {
    const error = this.query.get("error");
    if (!error) return null;
    const [title, detail] = ERRORS[error] ?? ["You were not signed in", "The issuer answered with an error."];
    return new Problem(401, title, detail);
  }

  private async submit(e: SubmitEvent): Promise<void> {
    e.preventDefault();
    const token = String(new FormData(e.target as HTMLFormElement).get("token"));
    this.busy = true;
    this.problem = null;
    try {
      const { signedIn } = await session.signInWith(token);
      if (!signedIn) this.problem = new Problem(401, "This token is not accepted", "It may have expired, or be for another installation.");
    } catch (failure) {
      this.problem = Problem.of(failure);
    }
    this.busy = false;
  }

  static override styles = [
    ...View.styles,
    css`
      :host { display: grid; place-items: center; min-height: 80vh; }
      .card { display: grid; gap: var(--s4); width: min(24rem, 100%); padding: var(--s6); }
      .brand { display: flex; align-items: center; gap: var(--s2); font-weight: 680; }
      .brand svg { color: var(--accent); }
      .ended { background: var(--warn-tint); padding: var(--s3); border-radius: var(--radius); }
      form { display: grid; gap: var(--s3); }
      .or { text-align: center; }
    `,
  ];
}
