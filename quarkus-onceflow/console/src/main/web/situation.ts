import type { ReactiveControllerHost } from "lit";
import { api, Problem } from "./api";
import { badges } from "./badges";
import { causesOf, type Cause } from "./causes";
import type { ParkedGroup, RepairPage } from "./sagas";
import type { Definition, Overview, Replica, Service } from "./types";
import { Loader, Poll } from "./view";

/** Every service is asked for it. */
const SERVICES_EVERY_MS = 5000;
/** What changes with a deployment or by an operator. */
const REST_EVERY_MS = 15_000;

/** What is loaded to say whether anything needs attention, the same for every view that says so. */
export class Situation {
  readonly overview: Loader<Overview>;
  /** An application that knows of no other services answers 404. */
  readonly services: Loader<Service[]>;
  readonly definitions: Loader<Definition[]>;
  readonly replicas: Loader<Replica[]>;
  readonly repairs: Loader<RepairPage>;
  readonly poll: Poll;
  private readonly rest: Loader<unknown>[];

  constructor(host: ReactiveControllerHost) {
    this.overview = new Loader<Overview>(host, (signal) => api.get("sagas/overview", {}, signal));
    this.services = new Loader<Service[]>(host, (signal) =>
      api.get<Service[]>("sagas/services", {}, signal).catch((e) => (Problem.of(e).status === 404 ? [] : Promise.reject(e))));
    this.definitions = new Loader<Definition[]>(host, (signal) => api.get("sagas/definitions", {}, signal));
    this.replicas = new Loader<Replica[]>(host, (signal) => api.get("sagas/replicas", {}, signal));
    this.repairs = new Loader<RepairPage>(host, (signal) => api.get("sagas/repairs", { limit: 50 }, signal));
    this.poll = new Poll(host, this.overview);
    this.rest = [this.services, this.definitions, this.replicas, this.repairs];
    this.rest.forEach((loader) => new Poll(host, loader, loader === this.services ? SERVICES_EVERY_MS : REST_EVERY_MS));
  }

  load(): void {
    [this.overview, ...this.rest].forEach((loader) => loader.load());
  }

  /** None before the overview is there. */
  causes(parked: ParkedGroup[] | null = null): Cause[] {
    const known = <T>({ value, problem }: Loader<T>) => (problem ? null : value);
    const overview = this.overview.value;
    if (overview === null) return [];
    const services = known(this.services);
    const causes = causesOf({
      overview,
      services,
      definitions: known(this.definitions),
      replicas: known(this.replicas),
      repairs: known(this.repairs)?.repairs ?? null,
      parked,
    });
    badges.show(causes.length, overview, services);
    return causes;
  }

  /** What is not known, so that it cannot be said that nothing needs attention; null where all is. */
  get unknown(): string | null {
    const names = ["services", "definitions", "replicas", "repairs"];
    const failed = this.rest.findIndex((loader) => loader.problem);
    if (failed >= 0) return `The state of the ${names[failed]} could not be read: ${this.rest[failed].problem!.message}`;
    const reading = this.rest.findIndex((loader) => !loader.value);
    return reading >= 0 ? `Reading the state of the ${names[reading]} …` : null;
  }
}
