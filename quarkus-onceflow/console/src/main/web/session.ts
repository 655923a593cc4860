import { api, Problem } from "./api";
import type { Session } from "./types";

const TOKEN = "onceflow.token";
const DRAFT = "onceflow.reason";
const NOBODY: Session = { signedIn: false, name: null, roles: [], csrf: null, method: null, signInUrl: null, signOutUrl: null };

/** Who is signed in. A bearer token lives in this tab's sessionStorage; an OIDC session in a cookie that no script sees. */
class CurrentSession extends EventTarget {
  now: Session = NOBODY;
  /** That it was not ended by its user. */
  ended = false;

  get token(): string | null {
    return sessionStorage.getItem(TOKEN);
  }

  /** The reason of an act that the end of a session has kept from being done; a form asks for it again, and has it. */
  get draft(): string | null {
    return sessionStorage.getItem(DRAFT);
  }

  set draft(reason: string | null) {
    if (reason) sessionStorage.setItem(DRAFT, reason);
    else sessionStorage.removeItem(DRAFT);
  }

  get operator(): boolean {
    return this.now.roles.includes("operator");
  }

  /** Asks the service who we are. A token that it refuses is forgotten. */
  async refresh(): Promise<Session> {
    try {
      this.now = await api.get<Session>("console/session");
    } catch (e) {
      if (!(e instanceof Problem) || e.status !== 401) throw e;
      this.now = NOBODY;
    }
    if (this.now.signedIn) this.ended = false;
    else sessionStorage.removeItem(TOKEN);
    this.dispatchEvent(new Event("change"));
    return this.now;
  }

  signInWith(token: string): Promise<Session> {
    sessionStorage.setItem(TOKEN, token.trim());
    return this.refresh();
  }

  /** Takes the token of "#token=…" and removes it from the address, so that it is in no history and no screenshot. */
  async takeFromFragment(): Promise<void> {
    const token = new URLSearchParams(location.hash.slice(1)).get("token");
    if (!token) return;
    history.replaceState(null, "", location.pathname + location.search);
    sessionStorage.setItem(TOKEN, token);
  }

  /** Forgets the token; of an OIDC session, goes where it ends. */
  signOut(): void {
    const { signOutUrl } = this.now;
    this.draft = null;
    this.end(false);
    if (signOutUrl) location.assign(signOutUrl);
  }

  /** The service no longer knows us. */
  expired(): void {
    this.end(true);
  }

  private end(ended: boolean): void {
    this.ended = ended;
    sessionStorage.removeItem(TOKEN);
    this.now = { ...NOBODY, signInUrl: this.now.signInUrl };
    this.dispatchEvent(new Event("change"));
  }
}

export const session = new CurrentSession();
